/* How many states are reached in 0, 1, 2, ... steps and not in fewer: by a walk, which keeps each
   of them, in one process or in several, or by diagrams of whole levels, which may be small where
   states are very many. */
#ifndef TABIA_PROVE_STATE_LEVELS_H
#define TABIA_PROVE_STATE_LEVELS_H

#include "machine/circuit_game.h"
#include "states/checkpoint.h"

typedef struct state_levels_options {
  bool by_diagrams;
  uint32_t depth;             /* the last level that is wanted; UINT32_MAX: all */
  uint32_t threads;           /* of a walk of one process; at least 1 */
  const exchange *others;     /* processes that walk together; NULL: this one alone */
  checkpoint_wish checkpoint; /* of a walk */
} state_levels_options;

typedef struct state_levels {
  VEC(const char *) counts; /* of whole levels, in decimal digits */
  const char *total;        /* of these */
  bool is_complete;         /* there are no more states */
  const char *reason;       /* why diagrams were given up; or NULL */
  bool has_failed_ranks;    /* another process has failed or stopped */
} state_levels;

/* False: a limit was reached, the program of the diagrams cannot be run (reported), or `reason`
   says why it stopped; the levels that were counted are there. */
bool state_levels_count(state_levels *l, const grounded *g, state_levels_options o, arena *keep,
                        budget *b, diag_sink *d);

#endif
