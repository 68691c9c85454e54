#include "prove/state_store.h"

#include "base/hash.h"

#include <string.h>

enum { FIRST_STATES = 64, FIRST_SLOTS = 128 };

void store_init(state_store *s, uint32_t state_bytes) {
  memset(s, 0, sizeof *s);
  s->state_bytes = state_bytes;
  for (uint32_t i = 0; i < STORE_SHARDS; i++) {
    s->shards[i].keep = arena_new();
    pthread_mutex_init(&s->shards[i].lock, NULL);
  }
}

void store_free(state_store *s) {
  for (uint32_t i = 0; i < STORE_SHARDS; i++) {
    pthread_mutex_destroy(&s->shards[i].lock);
    arena_free(s->shards[i].keep);
  }
}

/* The highest bits choose the shard, the lower half the slot. */
uint64_t store_hash(const state_store *s, const uint8_t *state) {
  return hash_bytes(state, s->state_bytes);
}

/* A slot for a hash, spread evenly without a division (Lemire). */
static uint32_t first_slot(const store_shard *h, uint64_t hash) {
  return (uint32_t)((hash & UINT32_MAX) * h->slot_count >> 32);
}

/* The part of a slot that is above the number. */
static uint32_t tag_of(uint64_t hash) { return (uint32_t)(hash >> 32) << STORE_NUMBER_BITS; }

static uint32_t number_in(uint32_t slot) { return slot & STORE_SHARD_MAX; }

static uint32_t next_slot(const store_shard *h, uint32_t at) {
  return at + 1 == h->slot_count ? 0 : at + 1;
}

static const uint8_t *state_at(const state_store *s, const store_shard *h, uint32_t number) {
  return h->states + (size_t)number * s->state_bytes;
}

/* ---- room ---- */

static void grow_states(state_store *s, store_shard *h) {
  const uint32_t more = h->capacity ? h->capacity + h->capacity / 4 : FIRST_STATES;
  h->states = arena_grow(h->keep, h->states, (size_t)h->capacity * s->state_bytes,
                         (size_t)more * s->state_bytes + 1);
  h->capacity = more;
}

static void grow_slots(state_store *s, store_shard *h) {
  const uint32_t old = h->slot_count;
  h->slot_count = old ? old + old / 2 : FIRST_SLOTS;
  arena_release(h->keep, h->slots, old * sizeof *h->slots);
  h->slots = arena_new_array(h->keep, uint32_t, h->slot_count);
  memset(h->slots, 0xff, h->slot_count * sizeof *h->slots);
  for (uint32_t i = 0; i < h->count; i++) {
    const uint64_t hash = store_hash(s, state_at(s, h, i));
    uint32_t at = first_slot(h, hash);
    while (h->slots[at] != UINT32_MAX) at = next_slot(h, at);
    h->slots[at] = tag_of(hash) | i;
  }
}

static void make_room(state_store *s, store_shard *h) {
  const size_t before = arena_bytes(h->keep);
  if (h->count == h->capacity) grow_states(s, h);
  if (((uint64_t)h->count + 1) * 5 > (uint64_t)h->slot_count * 4) grow_slots(s, h);
  atomic_fetch_add(&s->bytes, arena_bytes(h->keep) - before);
}

/* ---- looking up ---- */

static bool may_be(uint32_t slot, uint64_t hash) {
  return slot != UINT32_MAX && slot >> STORE_NUMBER_BITS == tag_of(hash) >> STORE_NUMBER_BITS;
}

/* The slot of a state, or the empty one where it belongs. */
static uint32_t find_slot(const state_store *s, const store_shard *h, const uint8_t *state,
                          uint64_t hash) {
  for (uint32_t at = first_slot(h, hash);; at = next_slot(h, at)) {
    const uint32_t slot = h->slots[at];
    if (slot == UINT32_MAX) return at;
    if (may_be(slot, hash) && memcmp(state_at(s, h, number_in(slot)), state, s->state_bytes) == 0)
      return at;
  }
}

bool store_find(const state_store *s, const uint8_t *state, state_place *where) {
  const uint64_t hash = store_hash(s, state);
  const store_shard *h = &s->shards[shard_of_hash(hash)];
  if (!h->slot_count) return false;
  const uint32_t slot = h->slots[find_slot(s, h, state, hash)];
  *where = (state_place){shard_of_hash(hash), number_in(slot)};
  return slot != UINT32_MAX;
}

/* Has slots, and then states that may be the same, brought near. */
static void prefetch(const state_store *s, const store_shard *h, const uint64_t *hashes,
                     uint32_t count) {
  if (!h->slot_count) return;
  for (uint32_t i = 0; i < count; i++) __builtin_prefetch(h->slots + first_slot(h, hashes[i]));
  for (uint32_t i = 0; i < count; i++) {
    const uint32_t slot = h->slots[first_slot(h, hashes[i])];
    if (may_be(slot, hashes[i])) __builtin_prefetch(state_at(s, h, number_in(slot)));
  }
}

void store_add(state_store *s, uint32_t shard, const uint8_t *states, const uint64_t *hashes,
               uint32_t count, bool *was_older) {
  store_shard *h = &s->shards[shard];
  pthread_mutex_lock(&h->lock);
  prefetch(s, h, hashes, count);
  for (uint32_t i = 0; i < count; i++) {
    const uint8_t *state = states + (size_t)i * s->state_bytes;
    make_room(s, h);
    const uint32_t at = find_slot(s, h, state, hashes[i]);
    if (h->slots[at] != UINT32_MAX) {
      if (number_in(h->slots[at]) < h->older) *was_older = true;
      continue;
    }
    if (h->count == STORE_SHARD_MAX) {
      atomic_store(&s->is_full, true);
      break;
    }
    h->slots[at] = tag_of(hashes[i]) | h->count;
    memcpy(h->states + (size_t)h->count++ * s->state_bytes, state, s->state_bytes);
  }
  pthread_mutex_unlock(&h->lock);
}

void store_read(state_store *s, uint32_t shard, uint32_t first, uint32_t count, uint8_t *out) {
  store_shard *h = &s->shards[shard];
  pthread_mutex_lock(&h->lock);
  memcpy(out, state_at(s, h, first), (size_t)count * s->state_bytes);
  pthread_mutex_unlock(&h->lock);
}

void store_close_level(state_store *s) {
  for (uint32_t i = 0; i < STORE_SHARDS; i++) s->shards[i].older = s->shards[i].count;
}

uint64_t store_count(const state_store *s) {
  uint64_t all = 0;
  for (uint32_t i = 0; i < STORE_SHARDS; i++) all += s->shards[i].count;
  return all;
}
