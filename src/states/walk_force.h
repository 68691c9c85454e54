/* Whether a role can force an end that counts as won, on a complete walk.

   It must choose its move without knowing those that the others make at the same time, and win
   whatever they do.  States are gone over from the last found to the first, and again while that
   finds further states from which it can. */
#ifndef TABIA_STATES_WALK_FORCE_H
#define TABIA_STATES_WALK_FORCE_H

#include "states/walk.h"

typedef enum walk_force { FORCE_CAN, FORCE_CANNOT, FORCE_UNDECIDED } walk_force;

typedef struct force_found {
  uint32_t steps;           /* of FORCE_CAN: at most so many until the end */
  bool has_choices_at_once; /* in some state several roles have a choice */
} force_found;

/* `won`: the goal of the circuit that holds in ends won by the role. */
walk_force walk_find_force(walk *w, uint32_t role, uint32_t won, budget *b, force_found *found);

#endif
