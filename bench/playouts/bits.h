/* Bits of one word, random numbers, and how a game of two ends; for the hand-written programs. */
#ifndef PLAYOUTS_BITS_H
#define PLAYOUTS_BITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#ifdef __BMI2__
#include <immintrin.h>
#endif

#define INLINE static inline __attribute__((always_inline))
#define SELDOM static __attribute__((noinline)) /* what is kept out of the way of the rest */
#define LIKELY(x) __builtin_expect(!!(x), 1)
#define UNLIKELY(x) __builtin_expect(!!(x), 0)

typedef enum result { FIRST_WINS, DRAWN, SECOND_WINS, RESULTS } result;

/* ---- bits ---- */

INLINE uint32_t bit_count(uint64_t x) { return (uint32_t)__builtin_popcountll(x); }

/* The number of the lowest bit; x is not 0. */
INLINE uint32_t lowest(uint64_t x) { return (uint32_t)__builtin_ctzll(x); }

INLINE uint64_t lowest_bit(uint64_t x) { return x & -x; }
INLINE uint64_t highest_bit(uint64_t x) { return 1ull << 63 >> __builtin_clzll(x); }

/* The set bit of x with n set bits below it; there is one. */
INLINE uint64_t nth_bit(uint64_t x, uint32_t n) {
#ifdef __BMI2__
  return _pdep_u64(1ull << n, x);
#else
  for (; n; n--) x &= x - 1;
  return lowest_bit(x);
#endif
}

/* ---- random numbers: wyrand by Wang Yi, whose state is one addition a number ---- */

typedef struct rng {
  uint64_t at;
} rng;

INLINE uint64_t rng_next(rng *r) {
  r->at += 0xa0761d6478bd642full;
  const unsigned __int128 product = (unsigned __int128)r->at * (r->at ^ 0xe7037ed1a0b428dbull);
  return (uint64_t)(product >> 64) ^ (uint64_t)product;
}

/* Uniform in 0 .. bound-1 without bias: Lemire's multiplication, draws of the uneven rest thrown
   away.  0 < bound < 2^32. */
INLINE uint32_t rng_below(rng *r, uint32_t bound) {
  uint64_t product = (uint64_t)(uint32_t)rng_next(r) * bound;
  if (UNLIKELY((uint32_t)product < bound)) {
    const uint32_t rest = -bound % bound;
    while ((uint32_t)product < rest) product = (uint64_t)(uint32_t)rng_next(r) * bound;
  }
  return (uint32_t)(product >> 32);
}

#endif
