/* Whether every play of a complete walk over ranks ends: walk_longest_play.c for several processes.

   All ranks call this together and get the same answer, which is that of one process. */
#ifndef TABIA_STATES_LEVEL_END_H
#define TABIA_STATES_LEVEL_END_H

#include "states/level_walk.h"
#include "states/walk.h"

typedef struct level_end {
  walk_end end;     /* WALK_UNDECIDED: time is up, or a rank has failed */
  uint32_t longest; /* of WALK_ENDS: steps of the longest play */
  /* Of WALK_CYCLES: a state that comes again after the joint moves of the round, and its level. */
  uint8_t *state;
  uint32_t level;
  id_vec round;
} level_end;

void level_walk_find_end(level_end *found, level_walk *w, budget *b, arena *keep);

#endif
