/* Questions about states of a walk over ranks: the rank that has a state answers with what it knows
   of it, a number.

   All ranks begin and end together.  In between each asks about states that steps lead to, and
   answers what others ask.  A state that this rank has is looked up at once. */
#ifndef TABIA_STATES_LEVEL_ASK_H
#define TABIA_STATES_LEVEL_ASK_H

#include "states/level_walk.h"

typedef struct level_ask {
  const level_walk *w;
  uint32_t near; /* the level where states are looked for first */
  /* What is known of a state that is here; the answer to a question. */
  uint32_t (*known)(const void *context, state_place p);
  void (*learn)(void *context, uint32_t slot, uint32_t answer);
  void *context;
  uint8_t *states; /* LANES that others ask about, then LANES that this rank asks about */
  uint32_t *slots;
  state_place *places;
  uint8_t *record;
} level_ask;

/* `known`, `learn` and `context` are to be set by the user. */
void level_ask_init(level_ask *a, const level_walk *w, arena *keep);

void level_ask_begin(level_ask *a, uint32_t near);

/* At most LANES states; the answer to each comes with its slot, sooner or later. */
void level_ask_about(level_ask *a, const uint8_t *states, const uint32_t *slots, uint32_t count);

/* All answers have come.  False: a rank has failed. */
bool level_ask_end(level_ask *a);

#endif
