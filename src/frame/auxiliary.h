/* Auxiliary relations: if a way to stay has variables that nothing else binds, a rule cannot say
   that it holds for none of their values; so a relation says that it holds for some, and the rule
   negates that.

     keeps1(X, mark(J, K)) <= q(J, X)        and then        ... not keeps1(X, A)

   Their names do not occur in the rulesheet.  Equal definitions are made once. */
#ifndef TABIA_FRAME_AUXILIARY_H
#define TABIA_FRAME_AUXILIARY_H

#include "frame/case_context.h"

typedef struct auxiliary {
  term_id head; /* variables are numbered by their first occurrence */
  condition_vec body;
  uint32_t variable_count;
} auxiliary;

typedef struct auxiliaries {
  arena *keep;
  VEC(auxiliary) all;
  uint32_t names; /* tried so far */
} auxiliaries;

/* An atom over variables of the context that holds when the conditions do, for some values of the
   variables from `own` on.  False: a term would be too large. */
TERM_MUST_ASK bool auxiliary_for(auxiliaries *x, const case_context *s,
                                 const condition_vec *conditions, uint32_t own, term_id *atom);

/* A name that the rulesheet does not have: the stem, or (where `number` is not 0 or the stem is
   taken) the stem with a number, which is counted up. */
symbol_id frame_fresh_name(const program *p, const char *stem, uint32_t *number);

/* ---- renumbering variables ---- */

typedef struct renumbering {
  term_table *t;
  term_id *bindings;
  uint32_t count;
} renumbering;

/* For terms whose variables are below `bound`. */
renumbering renumbering_new(term_table *t, uint32_t bound, arena *keep);
term_id renumber(renumbering *r, term_id id);
condition renumber_condition(renumbering *r, condition c);

#endif
