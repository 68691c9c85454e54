#include "states/state_store.h"

#include "base/hash.h"
#include "base/recovery.h"

#include <string.h>
#include <sys/mman.h>

/* States are compared eight bytes at a time, so that many behind the last one may be read. */
enum { FIRST_STATES = 64, FIRST_SLOTS = 128, READ_AHEAD = 8, SLOTS_A_LINE = 16 };

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
static uint32_t tag_of(const store_shard *h, uint64_t hash) {
  return (uint32_t)(hash >> 32) << h->number_bits;
}

static uint32_t number_in(const store_shard *h, uint32_t slot) {
  return slot & ((UINT32_C(1) << h->number_bits) - 1);
}

static uint32_t next_slot(const store_shard *h, uint32_t at) {
  return at + 1 == h->slot_count ? 0 : at + 1;
}

static const uint8_t *state_at(const state_store *s, const store_shard *h, uint32_t number) {
  return h->states + (size_t)number * s->state_bytes;
}

/* ---- room ---- */

/* Large pages: the places that are looked up lie far from each other. */
static void use_large_pages(void *bytes, size_t size) {
  const uintptr_t page = (uintptr_t)1 << 21, first = ((uintptr_t)bytes + page - 1) & ~(page - 1);
  const uintptr_t end = ((uintptr_t)bytes + size) & ~(page - 1);
  if (first < end) madvise((void *)first, end - first, MADV_HUGEPAGE);
}

static void grow_states(state_store *s, store_shard *h) {
  const uint32_t more = h->capacity ? h->capacity + h->capacity / 4 : FIRST_STATES;
  h->states = arena_grow(h->keep, h->states, (size_t)h->capacity * s->state_bytes,
                         (size_t)more * s->state_bytes + READ_AHEAD);
  h->capacity = more;
  use_large_pages(h->states, (size_t)more * s->state_bytes);
}

/* How many states a table of so many slots takes. */
static uint32_t most_states(uint32_t slot_count) {
  const uint64_t most = (uint64_t)slot_count * 2 / 3;
  return most < STORE_SHARD_MAX ? (uint32_t)most : STORE_SHARD_MAX;
}

/* No number has all its bits set: such a slot would be taken for an empty one. */
static uint32_t bits_of_numbers_below(uint32_t most) {
  uint32_t bits = 1;
  while ((UINT32_C(1) << bits) - 1 < most) bits++;
  return bits;
}

static void grow_slots(state_store *s, store_shard *h) {
  const uint32_t old = h->slot_count;
  h->is_lost = true; /* unless there is memory */
  h->slot_count = old ? old + old / 4 : FIRST_SLOTS;
  h->number_bits = bits_of_numbers_below(most_states(h->slot_count));
  arena_release(h->keep, h->slots, old * sizeof *h->slots);
  h->slots = arena_new_array(h->keep, uint32_t, h->slot_count);
  use_large_pages(h->slots, h->slot_count * sizeof *h->slots);
  memset(h->slots, 0xff, h->slot_count * sizeof *h->slots);
  for (uint32_t i = 0; i < h->count; i++) {
    const uint64_t hash = store_hash(s, state_at(s, h, i));
    uint32_t at = first_slot(h, hash);
    while (h->slots[at] != UINT32_MAX) at = next_slot(h, at);
    h->slots[at] = tag_of(h, hash) | i;
  }
  h->is_lost = false;
}

static void make_room(state_store *s, store_shard *h) {
  const bool lacks_states = h->count == h->capacity;
  const bool lacks_slots = h->count == most_states(h->slot_count) && h->count < STORE_SHARD_MAX;
  if (!lacks_states && !lacks_slots) return;
  const size_t before = arena_bytes(h->keep);
  if (lacks_states) grow_states(s, h);
  if (lacks_slots) grow_slots(s, h);
  atomic_fetch_add(&s->bytes, arena_bytes(h->keep) - before);
}

/* ---- looking up ---- */

static bool may_be(const store_shard *h, uint32_t slot, uint64_t hash) {
  return slot != UINT32_MAX && (slot ^ tag_of(h, hash)) >> h->number_bits == 0;
}

static bool is_same(const uint8_t *a, const uint8_t *b, uint32_t bytes) {
  uint64_t left, right;
  for (; bytes >= 8; bytes -= 8, a += 8, b += 8) {
    memcpy(&left, a, 8);
    memcpy(&right, b, 8);
    if (left != right) return false;
  }
  if (!bytes) return true;
  memcpy(&left, a, 8);
  memcpy(&right, b, 8);
  return (left ^ right) << (64 - 8 * bytes) == 0;
}

/* The slot of a state, or the empty one where it belongs. */
static uint32_t find_slot(const state_store *s, const store_shard *h, const uint8_t *state,
                          uint64_t hash) {
  for (uint32_t at = first_slot(h, hash);; at = next_slot(h, at)) {
    const uint32_t slot = h->slots[at];
    if (slot == UINT32_MAX) return at;
    if (may_be(h, slot, hash) && is_same(state_at(s, h, number_in(h, slot)), state, s->state_bytes))
      return at;
  }
}

bool store_find(const state_store *s, const uint8_t *state, state_place *where) {
  const uint64_t hash = store_hash(s, state);
  const store_shard *h = &s->shards[shard_of_hash(hash)];
  if (!h->slot_count) return false;
  const uint32_t slot = h->slots[find_slot(s, h, state, hash)];
  *where = (state_place){shard_of_hash(hash), number_in(h, slot)};
  return slot != UINT32_MAX;
}

/* The first state that may be the same, looked for in few slots only; NULL: none. */
static const uint8_t *near_candidate(const state_store *s, const store_shard *h, uint64_t hash) {
  uint32_t at = first_slot(h, hash);
  for (uint32_t i = 0; i < SLOTS_A_LINE; i++, at = next_slot(h, at)) {
    const uint32_t slot = h->slots[at];
    if (slot == UINT32_MAX) return NULL;
    if (may_be(h, slot, hash)) return state_at(s, h, number_in(h, slot));
  }
  return NULL;
}

/* Has the slots of a hash brought near; a little later, the state that may be the same. */
static void prefetch_slots(const store_shard *h, uint64_t hash) {
  const uint32_t *slot = h->slots + first_slot(h, hash);
  __builtin_prefetch(slot);
  __builtin_prefetch(slot + SLOTS_A_LINE / 2);
}

static void prefetch_state(const state_store *s, const store_shard *h, uint64_t hash) {
  const uint8_t *state = near_candidate(s, h, hash);
  if (state) __builtin_prefetch(state);
}

/* Memory is asked for as in store_add. */
void store_find_all(const state_store *s, const uint8_t *states, uint32_t count,
                    state_place *places) {
  enum { AHEAD = 12, ROUND = 64 };
  uint64_t hashes[ROUND];
  for (uint32_t first = 0; first < count; first += ROUND) {
    const uint32_t here = count - first < ROUND ? count - first : ROUND;
    const uint8_t *from = states + (size_t)first * s->state_bytes;
    for (uint32_t i = 0; i < here; i++) {
      hashes[i] = store_hash(s, from + (size_t)i * s->state_bytes);
      prefetch_slots(&s->shards[shard_of_hash(hashes[i])], hashes[i]);
    }
    for (uint32_t i = 0; i < here + AHEAD; i++) {
      if (i < here) prefetch_state(s, &s->shards[shard_of_hash(hashes[i])], hashes[i]);
      if (i < AHEAD) continue;
      const uint32_t shard = shard_of_hash(hashes[i - AHEAD]);
      const store_shard *h = &s->shards[shard];
      const uint8_t *state = from + (size_t)(i - AHEAD) * s->state_bytes;
      const uint32_t slot = h->slots[find_slot(s, h, state, hashes[i - AHEAD])];
      assert(slot != UINT32_MAX);
      places[first + i - AHEAD] = (state_place){shard, number_in(h, slot)};
    }
  }
}

/* False: there is no more room for states. */
static bool add_state(state_store *s, store_shard *h, const uint8_t *state, uint64_t hash,
                      bool *was_older) {
  make_room(s, h);
  const uint32_t at = find_slot(s, h, state, hash);
  if (h->slots[at] != UINT32_MAX) {
    if (number_in(h, h->slots[at]) < h->older) *was_older = true;
    return true;
  }
  if (h->count == STORE_SHARD_MAX) {
    atomic_store(&s->is_full, true);
    return false;
  }
  h->slots[at] = tag_of(h, hash) | h->count;
  memcpy(h->states + (size_t)h->count++ * s->state_bytes, state, s->state_bytes);
  return true;
}

/* Memory is asked for what is needed AHEAD and 2 * AHEAD states later. */
void store_add(state_store *s, uint32_t shard, const uint8_t *states, const uint64_t *hashes,
               uint32_t count, bool *was_older) {
  enum { AHEAD = 12 };
  store_shard *h = &s->shards[shard];
  recovery_lock(&h->lock);
  bool has_room = !h->is_lost;
  if (has_room) make_room(s, h);
  for (uint32_t i = 0; i < count + 2 * AHEAD && has_room; i++) {
    if (i < count) prefetch_slots(h, hashes[i]);
    if (i >= AHEAD && i - AHEAD < count) prefetch_state(s, h, hashes[i - AHEAD]);
    if (i < 2 * AHEAD) continue;
    const uint32_t now = i - 2 * AHEAD;
    has_room = add_state(s, h, states + (size_t)now * s->state_bytes, hashes[now], was_older);
  }
  recovery_unlock(&h->lock);
}

void store_read(state_store *s, uint32_t shard, uint32_t first, uint32_t count, uint8_t *out) {
  store_shard *h = &s->shards[shard];
  recovery_lock(&h->lock);
  memcpy(out, state_at(s, h, first), (size_t)count * s->state_bytes);
  recovery_unlock(&h->lock);
}

void store_close_level(state_store *s) {
  for (uint32_t i = 0; i < STORE_SHARDS; i++) s->shards[i].older = s->shards[i].count;
}

uint64_t store_count(const state_store *s) {
  uint64_t all = 0;
  for (uint32_t i = 0; i < STORE_SHARDS; i++) all += s->shards[i].count;
  return all;
}
