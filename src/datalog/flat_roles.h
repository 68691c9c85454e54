/* Roles in rows.

   In rows a role is one cell, the first, and is a constant.  In a shape such as legal(cc(_), _)
   that cell is an argument of cc, so the shape is not about a role, whatever the argument is. */
#ifndef TABIA_DATALOG_FLAT_ROLES_H
#define TABIA_DATALOG_FLAT_ROLES_H

#include "datalog/flat.h"

/* Whether the first argument is the first cell.  For relations of role, legal, does, goal, sees. */
static inline bool flat_has_role(const flat_program *f, flat_id relation) {
  const term_id skeleton = f->relations.items[relation].skeleton;
  return term_is_variable(f->terms, term_arg(f->terms, skeleton, 0));
}

/* Says that a role has arguments (E822), at a rule that gives one. */
void flat_report_compound_role(const flat_program *f, diag_sink *d);

#endif
