/* A game of one step: roles choose at once, and a table says what each gets.

   Joint moves are counted like numbers whose digits are the moves of the roles, those of role 0
   changing fastest.  Shares lie role by role. */
#ifndef TABIA_TREE_JOINT_GAME_H
#define TABIA_TREE_JOINT_GAME_H

#include "base/arena.h"

typedef struct joint_game {
  uint32_t roles;
  const uint32_t *sizes; /* by role: its moves */
  const float *values;   /* by joint move and role */
} joint_game;

/* Lets the roles mix by regret matching (RM+, later rounds count more) for this number of rounds.
   Writes how often each move is made, and what each role gets, float[roles]. */
void joint_game_mix(const joint_game *g, uint32_t rounds, float *shares, float *worth,
                    arena *scratch);

#endif
