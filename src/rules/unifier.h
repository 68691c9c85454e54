/* Do two terms of different clauses have a common instance?

   Their variables are distinct, and no term is made.  A unifier is made once and used for many
   queries.  Terms that take too long to compare count as unifiable. */
#ifndef TABIA_RULES_UNIFIER_H
#define TABIA_RULES_UNIFIER_H

#include "rules/term.h"

typedef struct unifier unifier;

/* `variables` is more than any variable number in the terms to come. */
unifier *unifier_new(const term_table *t, uint32_t variables, arena *keep);
bool terms_meet(unifier *u, term_id a, term_id b);

#endif
