/* All hashes in equal parts, one for each rank, in the order of ranks. */
#ifndef TABIA_STATES_HASH_PART_H
#define TABIA_STATES_HASH_PART_H

#include "base/hash.h"

/* Hashes from the first to the last, both included. */
typedef struct hash_span {
  uint64_t first, last;
} hash_span;

/* The first hash that gets this number of hash_scale. */
static inline uint64_t hash_first(uint64_t number, uint64_t range) {
  __extension__ typedef unsigned __int128 wide;
  return (uint64_t)((((wide)number << 64) + range - 1) / range);
}

/* The part that a rank owns, of `size` ranks. */
static inline hash_span hash_part_of(uint32_t rank, uint32_t size) {
  return (hash_span){hash_first(rank, size),
                     rank + 1 == size ? UINT64_MAX : hash_first(rank + UINT64_C(1), size) - 1};
}

/* What two spans have in common.  False: nothing. */
static inline bool hash_span_meet(hash_span a, hash_span b, hash_span *both) {
  both->first = a.first > b.first ? a.first : b.first;
  both->last = a.last < b.last ? a.last : b.last;
  return both->first <= both->last;
}

#endif
