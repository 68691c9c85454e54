/* How long the plays of a game are. */
#ifndef TABIA_PROVE_PLAY_LENGTH_H
#define TABIA_PROVE_PLAY_LENGTH_H

#include "base/json.h"

typedef struct play_length {
  bool is_known;    /* that it is bounded */
  uint64_t at_most; /* steps: no play has more */
  uint64_t seen;    /* steps of a play that was made */
} play_length;

static inline play_length play_length_exact(uint64_t steps) {
  return (play_length){true, steps, steps};
}

static inline bool play_length_is_exact(const play_length *l) { return l->at_most == l->seen; }

/* "the longest play has 9 steps", or "no play has more than 9 steps; the longest that was met has
   7". */
void play_length_print(const play_length *l, text *out);

/* As a member `longest_play`: {"at_most":9,"seen":7,"exact":false}. */
void play_length_write(const play_length *l, json_writer *w);

#endif
