/* Searching both games side by side for a difference: every line, shortest first, or random games.
   Nothing is grounded for it, and any machine will do. */
#ifndef TABIA_DIFF_PAIR_SEARCH_H
#define TABIA_DIFF_PAIR_SEARCH_H

#include "diff/side_by_side.h"

typedef struct pair_found {
  bool is_different; /* after the line: a look at the state there, or its last step, shows it */
  const char **line; /* old names, a move for each role and step */
  uint32_t length;   /* steps */
  bool is_complete;  /* of a walk: every state was looked at */
  uint32_t depth;    /* of a walk: lines of fewer steps show no difference */
  uint64_t states;   /* pairs that were looked at */
  uint64_t games;    /* that were played to their end, or to PAIR_GAME_STEPS */
} pair_found;

enum { PAIR_GAME_STEPS = 500 };

/* Level by level, so that the first difference has a shortest line. */
pair_found pair_walk(side_by_side *s, budget *b, arena *keep);

/* Random games until the budget is spent, or so many. */
pair_found pair_play(side_by_side *s, uint64_t games, budget *b, arena *keep);

/* Plays the line and looks: the differences there are in `s`.  False: there is none, or trouble. */
bool pair_replay(side_by_side *s, const char *const *line, uint32_t length);

#endif
