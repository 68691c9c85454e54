/* Sums of weighted literals as clauses, in binary. */
#ifndef TABIA_PROVE_SYMBOLIC_WEIGHTED_SUMS_H
#define TABIA_PROVE_SYMBOLIC_WEIGHTED_SUMS_H

#include "base/vec.h"
#include "sat/sat.h"

typedef struct weighted_literal {
  sat_literal literal;
  uint32_t weight;
} weighted_literal;

typedef VEC(weighted_literal) weighted_vec;

/* A literal that holds exactly when the weights of those of `left` that hold add up to at least as
   much as those of `right`. */
sat_literal sum_is_at_least(sat_solver *s, const weighted_vec *left, const weighted_vec *right,
                            arena *scratch);

/* A literal that holds exactly when an odd number of these does. */
sat_literal sum_is_odd(sat_solver *s, const sat_literal *all, uint32_t count);

#endif
