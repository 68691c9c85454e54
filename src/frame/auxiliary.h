/* Relations of our own: where a way to stay has variables that nothing else binds, 'not one of its
   values' cannot be said in a rule, and a relation says that there is one.

     keeps1(X, mark(J, K)) <= q(J, X)        and then        ... not keeps1(X, A)

   Names are ones that the rulesheet does not have.  Equal definitions are made once. */
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

/* ---- numbering variables anew ---- */

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
