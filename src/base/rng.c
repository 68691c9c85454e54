#include "base/rng.h"

/* splitmix64: turns one number into well-mixed seeds. */
static uint64_t split(uint64_t *x) {
  uint64_t z = (*x += 0x9e3779b97f4a7c15u);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

rng rng_new(uint64_t seed, uint64_t stream) {
  uint64_t x = seed;
  x = split(&x) ^ (stream * 0xd6e8feb86659fd93u);
  rng r;
  for (int i = 0; i < 4; i++) r.s[i] = split(&x);
  return r;
}

static uint64_t rotate(uint64_t x, int by) { return (x << by) | (x >> (64 - by)); }

/* xoshiro256** by Blackman and Vigna. */
uint64_t rng_next(rng *r) {
  const uint64_t result = rotate(r->s[1] * 5, 7) * 9;
  const uint64_t t = r->s[1] << 17;
  r->s[2] ^= r->s[0];
  r->s[3] ^= r->s[1];
  r->s[1] ^= r->s[2];
  r->s[0] ^= r->s[3];
  r->s[2] ^= t;
  r->s[3] = rotate(r->s[3], 45);
  return result;
}

/* Lemire's multiply, with the rare biased draws thrown away. */
uint32_t rng_below(rng *r, uint32_t bound) {
  uint64_t product = (rng_next(r) >> 32) * bound;
  if ((uint32_t)product < bound) {
    const uint32_t least = -bound % bound;
    while ((uint32_t)product < least) product = (rng_next(r) >> 32) * bound;
  }
  return (uint32_t)(product >> 32);
}
