/* Learns to judge states by playing many games against itself at once.

   In each of some hundred games the role that is to move looks one step ahead: all successors are
   made in bundles and judged, ends of the game by their goals, and the best is taken, sometimes
   another.  When a game is over, each of its states is to be worth what was expected after the best
   move, the later the more so (TD(lambda), Sutton; Tesauro), and each step takes it nearer to the mean
   of all ends: a win that is near is worth more than one that is far, or play that is ahead would get
   nowhere.  States are learned several times, in
   random order, from a store of the latest ones. */
#ifndef TABIA_TREE_LEARN_SELF_PLAY_H
#define TABIA_TREE_LEARN_SELF_PLAY_H

#include "machine/bundle.h"
#include "tree/learn/value_net.h"

typedef struct self_play self_play;

typedef struct self_play_figures {
  uint64_t games, states, trained;
  double error;  /* squared, a moving mean over states before they are learned */
  double length; /* of a game, a moving mean */
} self_play_figures;

/* The network is changed by self_play_step. */
self_play *self_play_new(const machine *m, value_net *net, uint64_t seed, budget *limits);
void self_play_free(self_play *p); /* NULL is allowed */

/* Makes a move in each game, and learns from those that are over.  False: trouble, or the limits
   are spent. */
bool self_play_step(self_play *p);
const self_play_figures *self_play_told(const self_play *p);

#endif
