/* Fixed-size sets of small numbers, one bit each; and squares of bits. */
#ifndef TABIA_BASE_BITSET_H
#define TABIA_BASE_BITSET_H

#include "base/arena.h"

typedef struct bitset {
  uint64_t *words;
  uint32_t size; /* members are 0 .. size-1 */
} bitset;

bitset bitset_new(arena *a, uint32_t size); /* empty */
void bitset_clear(bitset s);
uint32_t bitset_count(bitset s);
bool bitset_is_empty(bitset s);

static inline uint32_t bitset_words(bitset s) { return (s.size + 63) / 64; }

static inline bool bitset_has(bitset s, uint32_t i) { return s.words[i / 64] >> (i % 64) & 1; }

static inline void bitset_add(bitset s, uint32_t i) { s.words[i / 64] |= UINT64_C(1) << (i % 64); }

static inline void bitset_remove(bitset s, uint32_t i) {
  s.words[i / 64] &= ~(UINT64_C(1) << (i % 64));
}

/* Adds i; returns true if it was new. */
static inline bool bitset_insert(bitset s, uint32_t i) {
  const uint64_t bit = UINT64_C(1) << (i % 64);
  const bool is_new = !(s.words[i / 64] & bit);
  s.words[i / 64] |= bit;
  return is_new;
}

#endif
