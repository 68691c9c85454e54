/* Games with chance, simultaneous moves or more than two roles in which every play ends: the value
   of every state for each role, by backward induction.

   Chance: the mean over the moves of `random`.  One or two roles: what the role can guarantee,
   whatever the other does; by a mixed strategy where both choose at once (matrix_game.h).  More
   than two roles in turn: each maximises its own value, and takes the first of equal moves
   (max-n). */
#ifndef TABIA_SOLVE_MIXED_H
#define TABIA_SOLVE_MIXED_H

#include "solve/space.h"

typedef struct mixed_values {
  solve_space *s;
  double *values[STORE_SHARDS]; /* by state, then by role; NaN: not known */
  bool has_cycles;              /* some play never ends: there are no values */
} mixed_values;

static inline const double *mixed_values_at(const mixed_values *v, state_place p) {
  return v->values[p.shard] + (size_t)p.number * v->s->m->role_count;
}

/* False: the budget is spent, or has_cycles. */
bool mixed_solve(mixed_values *v, solve_space *s, arena *keep, budget *b);

/* ---- one state ---- */

/* How a role plays in a state. */
typedef struct mixed_plan {
  uint32_t count;
  uint32_t *moves; /* of the circuit */
  double *shares;
} mixed_plan;

/* Of the start; by role: all of them, unless the budget is spent. */
mixed_plan *mixed_plans(mixed_values *v, arena *keep, budget *b);

#endif
