/* How fast a machine is, found by playing random games on it for a moment. */
#ifndef TABIA_MACHINE_STEP_SPEED_H
#define TABIA_MACHINE_STEP_SPEED_H

#include "machine/machine.h"

/* How many successors of a state are looked at: one in play, several in a search. */
enum { TRY_AS_IN_PLAY = 1, TRY_AS_IN_SEARCH = 8 };

/* Steps made in a second of processor time, with the moves and the end of every state on the way
   looked at; 0 when there was trouble. */
double machine_step_speed(const machine *m, uint32_t successors, double seconds, budget *limits);

#endif
