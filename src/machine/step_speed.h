/* How fast a machine is, found by playing random games on it for a moment. */
#ifndef TABIA_MACHINE_STEP_SPEED_H
#define TABIA_MACHINE_STEP_SPEED_H

#include "machine/machine.h"

/* How many successors of a state are looked at: one in play, several in a search. */
enum { TRY_AS_IN_PLAY = 1, TRY_AS_IN_SEARCH = 8 };

/* Steps made in a second of processor time, with the moves and the end of every state on the way
   looked at; 0 when there was trouble. */
double machine_step_speed(const machine *m, uint32_t successors, double seconds, budget *limits);

/* ---- the same in parts, for machines that take turns ---- */

typedef struct speed_trial_shape {
  uint32_t successors; /* of a state that are looked at: at most as many as it has joint moves */
  uint32_t depth;      /* where a walk ends, as that of a search does; 0: where the game ends */
  bool plays_on;       /* in terminal states, where there are moves */
} speed_trial_shape;

typedef struct speed_trial speed_trial;

/* Trials of one shape walk the same way on every machine of a game. */
speed_trial *speed_trial_new(const machine *m, speed_trial_shape shape, arena *keep,
                             budget *limits);
void speed_trial_end(speed_trial *t); /* before the machine is closed */

/* Goes on with the walk for so many states, fewer when the budget is spent.  Returns the
   processor time that it took; less than 0 when there was trouble. */
double speed_trial_go_on(speed_trial *t, uint32_t states);

uint64_t speed_trial_steps(const speed_trial *t); /* made so far */

#endif
