/* Short matches between two ways to search, to find out which is better at a game. */
#ifndef TABIA_TREE_TRIAL_H
#define TABIA_TREE_TRIAL_H

#include "tree/style.h"

typedef struct trial {
  const machine *m;
  const tree_options *o;
  const value_net *net;
  double move_seconds; /* of the thread's processor time, for each move */
  double until;        /* when it ends, in the middle of a game if need be */
  bool by_processor;   /* `until` is on the thread's processor time, not on the clock */
  uint32_t games_max;
} trial;

typedef struct trial_result {
  double won;     /* by the first, draws counting half */
  uint32_t games; /* played to the end */
} trial_result;

/* Sides are swapped from game to game; it ends early when one is far ahead.  False: the limits are
   spent, or there is trouble. */
bool trial_run(const trial *t, search_style first, search_style second, const budget *limits,
               trial_result *r);

#endif
