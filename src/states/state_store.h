/* Every state that was found, once, in as few bytes as it needs.

   States are spread over shards by their hash.  A shard is one flat array of packed states in the
   order in which they were found, and a table of their numbers.  A shard is locked while somebody
   works on it, so that threads may add at once; states are handed over many at a time.  There are
   many shards, so that what a handful of states touches stays in the cache for the next ones.

   The table is at least 8/15 and at most 2/3 full, and its slots have four bytes: a state costs its
   own bytes and at most seven and a half more.  A slot is the number of a state and above it, in
   the bits that numbers do not need yet, a tag: part of its hash.  So other states are seldom
   looked at. */
#ifndef TABIA_STATES_STATE_STORE_H
#define TABIA_STATES_STATE_STORE_H

#include "base/vec.h"
#include "states/hash_part.h"

#include <pthread.h>
#include <stdatomic.h>

enum { STORE_SHARDS = 64 };

/* How many states a shard can hold. */
enum { STORE_SHARD_MAX = (1 << 27) - 1 };

typedef struct state_place {
  uint32_t shard, number;
} state_place;

typedef struct store_shard {
  pthread_mutex_t lock;
  arena *keep;
  uint8_t *states;
  uint32_t count, capacity;
  uint32_t *slots; /* UINT32_MAX where empty */
  uint32_t slot_count;
  uint32_t number_bits; /* of a slot; the others are the tag */
  uint32_t older;       /* states below this number are not of the level that is being made */
  bool is_lost;         /* there was no memory for its slots: it takes no more */
} store_shard;

typedef struct state_store {
  uint32_t state_bytes;
  store_shard shards[STORE_SHARDS];
  atomic_size_t bytes; /* held by all shards */
  atomic_bool is_full; /* a shard can hold no more: states were left out */
} state_store;

void store_init(state_store *s, uint32_t state_bytes);
void store_free(state_store *s);

static inline uint32_t shard_of_hash(uint64_t hash) { return hash >> 58; }
/* The hashes of a shard. */
static inline hash_span shard_span(uint32_t shard) {
  return (hash_span){(uint64_t)shard << 58, ((uint64_t)shard << 58) + (UINT64_MAX >> 6)};
}
uint64_t store_hash(const state_store *s, const uint8_t *state);

/* Adds states that all belong to one shard; eight bytes behind the last one must be readable.
   `was_older` is set when one of them is there already, from an older level. */
void store_add(state_store *s, uint32_t shard, const uint8_t *states, const uint64_t *hashes,
               uint32_t count, bool *was_older);

/* Where a state is; false: nowhere. */
bool store_find(const state_store *s, const uint8_t *state, state_place *where);

/* The same for states that lie one behind another and are all there; eight bytes behind the last
   one must be readable. */
void store_find_all(const state_store *s, const uint8_t *states, uint32_t count,
                    state_place *places);

/* Copies states out, while others may be adding. */
void store_read(state_store *s, uint32_t shard, uint32_t first, uint32_t count, uint8_t *out);

static inline const uint8_t *store_state(const state_store *s, state_place p) {
  return s->shards[p.shard].states + (size_t)p.number * s->state_bytes;
}

/* All that is there now is older than what comes. */
void store_close_level(state_store *s);
uint64_t store_count(const state_store *s);

#endif
