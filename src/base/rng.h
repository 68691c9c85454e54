/* Random numbers: xoshiro256** streams that are a function of (seed, stream) alone, so a part of a
   job gets the same numbers whichever thread runs it. */
#ifndef TABIA_BASE_RNG_H
#define TABIA_BASE_RNG_H

#include <stdint.h>

typedef struct rng {
  uint64_t s[4];
} rng;

rng rng_new(uint64_t seed, uint64_t stream);
uint64_t rng_next(rng *r);
uint32_t rng_below(rng *r, uint32_t bound); /* uniform in 0 .. bound-1, without bias; bound > 0 */

#endif
