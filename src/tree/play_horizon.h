/* How many steps random games are given before they are given up.

   Games need not end, and one that does not takes as long as hundreds that do.  So few steps are
   allowed first, and twice as many as long as many games come to no end and twice as many have
   helped. */
#ifndef TABIA_TREE_PLAY_HORIZON_H
#define TABIA_TREE_PLAY_HORIZON_H

#include <stdbool.h>
#include <stdint.h>

typedef struct play_horizon {
  uint64_t steps; /* of a game */
  uint64_t most;
  uint64_t games, unfinished; /* since it was looked at */
  double before; /* share of unfinished games before steps were doubled; 0: they were not */
  bool is_fixed;
} play_horizon;

play_horizon horizon_new(uint64_t most); /* 0: no limit */
void horizon_learn(play_horizon *h, uint64_t games, uint64_t unfinished);

#endif
