/* Lines of play to states of a walk over ranks, found again by making the steps of the level
   before.

   All ranks call this with the same state, and all get the same line. */
#ifndef TABIA_STATES_LEVEL_LINE_H
#define TABIA_STATES_LEVEL_LINE_H

#include "states/level_walk.h"

/* A joint move for each step, by number in circuit.moves.  False: time is up on some rank, which
   all leave; or there is none, as happens with forged files. */
bool level_walk_line(const level_walk *w, const uint8_t *state, uint32_t level, budget *b,
                     id_vec *line, arena *keep);

#endif
