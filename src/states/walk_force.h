/* Whether a role can force an end that counts as won, on a complete walk.

   It must choose its move without knowing those that the others make at the same time, and win
   whatever they do.  States are gone over from the last found to the first, and again while that
   finds further states from which it can. */
#ifndef TABIA_STATES_WALK_FORCE_H
#define TABIA_STATES_WALK_FORCE_H

#include "states/walk.h"

typedef enum walk_force { FORCE_CAN, FORCE_CANNOT, FORCE_UNDECIDED } walk_force;

/* `won`: the goal of the circuit that holds in ends won by the role.  `steps`: in how many it can
   be forced at most. */
walk_force walk_find_force(walk *w, uint32_t role, uint32_t won, budget *b, uint32_t *steps);

#endif
