/* Random numbers as a function of a counter and a key: Philox4x32-10 (Salmon, Moraes, Dror and
   Shaw, 'Parallel random numbers: as easy as 1, 2, 3').  There is no state, so every computation of
   a number gives the same one. */
#ifndef TABIA_BASE_PHILOX_H
#define TABIA_BASE_PHILOX_H

#include <stdint.h>

enum { PHILOX_ROUNDS = 10 };

#define PHILOX_M0 UINT32_C(0xd2511f53)
#define PHILOX_M1 UINT32_C(0xcd9e8d57)
#define PHILOX_W0 UINT32_C(0x9e3779b9) /* what is added to the key each round */
#define PHILOX_W1 UINT32_C(0xbb67ae85)

typedef struct philox_block {
  uint32_t words[4];
} philox_block;

/* The keys of all rounds: two for each. */
static inline void philox_keys(uint64_t key, uint32_t keys[2 * PHILOX_ROUNDS]) {
  for (uint32_t round = 0; round < PHILOX_ROUNDS; round++) {
    keys[2 * round] = (uint32_t)key + round * PHILOX_W0;
    keys[2 * round + 1] = (uint32_t)(key >> 32) + round * PHILOX_W1;
  }
}

static inline philox_block philox(philox_block counter, uint64_t key) {
  uint32_t *c = counter.words, k0 = (uint32_t)key, k1 = (uint32_t)(key >> 32);
  for (int round = 0; round < PHILOX_ROUNDS; round++) {
    const uint64_t p0 = (uint64_t)PHILOX_M0 * c[0], p1 = (uint64_t)PHILOX_M1 * c[2];
    const philox_block next = {{(uint32_t)(p1 >> 32) ^ c[1] ^ k0, (uint32_t)p1,
                                (uint32_t)(p0 >> 32) ^ c[3] ^ k1, (uint32_t)p0}};
    counter = next;
    k0 += PHILOX_W0;
    k1 += PHILOX_W1;
  }
  return counter;
}

#endif
