/* States that random play reaches, on which guesses are tested before anything is proved. 64 games
   run side by side; a game that ends starts again. */
#ifndef TABIA_INDUCT_RANDOM_STATES_H
#define TABIA_INDUCT_RANDOM_STATES_H

#include "circuit/circuit.h"

typedef struct sample {
  uint32_t latch_count;
  uint32_t step_count;
  VEC(uint64_t) words; /* latch_count for each step: a bit for each game */
} sample;

/* Up to `steps` steps; fewer when the budget is spent. */
void sample_play(sample *s, const circuit *c, uint32_t steps, uint64_t seed, arena *keep,
                 budget *limits);

/* At least `steps` steps, and behind them those in which a fluent is true for the first time, while
   there are such every few steps, as of long counters. */
void sample_play_on(sample *s, const circuit *c, uint32_t steps, uint64_t seed, arena *keep,
                    budget *limits);

/* The value of a fluent (a wire that is a latch or a constant) in the games of a step. */
static inline uint64_t sample_value(const sample *s, const circuit *c, uint32_t step, wire w) {
  const uint64_t flip = wire_is_negated(w) ? UINT64_MAX : 0;
  if (wire_is_constant(w)) return flip;
  const uint32_t latch = c->gates.items[wire_gate(w)].number;
  return s->words.items[(size_t)step * s->latch_count + latch] ^ flip;
}

#endif
