/* A walk over several ranks (rank_messages.h): each has the states whose hashes lie in its part of all
   hashes, and expands those.  `walk` then holds the levels of this rank alone. */
#ifndef TABIA_STATES_RANK_WALK_H
#define TABIA_STATES_RANK_WALK_H

#include "base/hash.h"
#include "states/rank_messages.h"
#include "states/walk.h"

/* The rank that has the states of a hash.  Parts are in the order of ranks. */
static inline uint32_t rank_of_hash(const ranks *r, uint64_t hash) {
  return (uint32_t)hash_scale(hash, ranks_size(r));
}

/* The first hash that gets this number of hash_scale. */
static inline uint64_t hash_first(uint64_t number, uint64_t range) {
  __extension__ typedef unsigned __int128 wide;
  return (uint64_t)((((wide)number << 64) + range - 1) / range);
}

/* Walks to the end; `w` comes from walk_init_part.  False: limits are reached, here or elsewhere, or
   a rank has failed. */
bool rank_walk_run(walk *w, ranks *r, uint64_t max_states, budget *b);

#endif
