/* How many steps it takes at least until a latch can be true, as far as latches of its own name
   say: a counter goes from one value to the next. */
#ifndef TABIA_PROVE_EXPLICIT_SEEK_STEPS_H
#define TABIA_PROVE_EXPLICIT_SEEK_STEPS_H

#include "prove/counters.h"

static inline bool state_has(const uint8_t *state, uint32_t latch) {
  return state[latch / 8] >> latch % 8 & 1;
}

/* The latches of a name; names of very many are not looked at. */
typedef struct seek_name {
  id_vec latches;
  uint16_t *steps; /* from latch i to latch j at i * count + j; NULL: not looked at */
} seek_name;

typedef struct seek_steps {
  VEC(seek_name) names;
  uint32_t *name_of;  /* by latch */
  uint32_t *place_of; /* by latch: in its name */
} seek_steps;

void seek_steps_init(seek_steps *s, const circuit *c, arena *keep);

/* 0 where it is true, else at least 1. */
uint32_t seek_steps_to(const seek_steps *s, uint32_t latch, const uint8_t *state);

#endif
