#include "datalog/flat_roles.h"

/* The first rule with such a role in its head; where there is none, the first that may give any. */
static span place_of_compound_role(const program *p) {
  span where = SPAN_NONE;
  for (clause_id c = 0; c < p->clauses.count; c++) {
    const clause *it = &p->clauses.items[c];
    if (atom_relation(p, it->head) != SYM_ROLE || it->rule == RULE_NONE) continue;
    const term *role = term_get(p->terms, term_arg(p->terms, it->head, 0));
    const span here = program_span(p, p->rules.items[it->rule].node);
    if (role->arg_count) return here;
    if (role->is_variable && where.start == UINT32_MAX) where = here;
  }
  return where;
}

void flat_report_compound_role(const flat_program *f, diag_sink *d) {
  diag *g = diag_add(d, DIAG_E822, place_of_compound_role(f->source), "a role has arguments");
  diag_hint(d, g, "the machines circuit, lanes and reference take such roles");
}
