#include "base/hash.h"

#include "base/recovery.h"

#include <string.h>
#include <xxhash.h>

enum {
  FIRST_SLOTS = 16,
  FEW_SLOTS = 512, /* up to so many a table grows fourfold: it is cheaper than to hash ids again */
};

uint64_t hash_bytes(const void *bytes, size_t length) { return XXH3_64bits(bytes, length); }

uint64_t hash_bytes_seeded(const void *bytes, size_t length, uint64_t seed) {
  return XXH3_64bits_withSeed(bytes, length, seed);
}

struct hash_stream {
  XXH3_state_t *state;
  arena *keep;
};

static void free_state(void *state) { XXH3_freeState(state); }

hash_stream *hash_stream_new(void) {
  XXH3_state_t *state = XXH3_createState();
  if (!state) recovery_fail();
  arena *keep = arena_guarding(free_state, state);
  hash_stream *s = arena_alloc(keep, sizeof *s);
  *s = (hash_stream){.state = state, .keep = keep};
  XXH3_64bits_reset(s->state);
  return s;
}

void hash_stream_add(hash_stream *s, const void *bytes, size_t length) {
  if (length) XXH3_64bits_update(s->state, bytes, length);
}

uint64_t hash_stream_value(const hash_stream *s) { return XXH3_64bits_digest(s->state); }

void hash_stream_free(hash_stream *s) { arena_free(s->keep); }

static void put_where_free(id_table *t, uint64_t hash, uint32_t id) {
  uint32_t at = id_table_first(t, hash);
  while (t->slots[at] != ID_NONE) at = id_table_next(t, at);
  t->slots[at] = id;
}

static void make_slots(id_table *t, arena *keep, uint32_t slots) {
  t->slots = arena_new_array(keep, uint32_t, slots);
  t->mask = slots - 1;
  memset(t->slots, 0xff, slots * sizeof *t->slots);
}

void id_table_expect(id_table *t, arena *keep, uint32_t count) {
  uint32_t slots = FIRST_SLOTS;
  while ((uint64_t)slots * 5 < ((uint64_t)count + 1) * 8) slots *= 2;
  make_slots(t, keep, slots);
}

void id_table_grow(id_table *t, arena *keep, id_hash_fn *hash_of, const void *context) {
  const id_table old = *t;
  const uint32_t old_slots = old.slots ? old.mask + 1 : 0;
  const uint32_t times = old_slots <= FEW_SLOTS ? 4 : 2;
  make_slots(t, keep, old_slots ? old_slots * times : FIRST_SLOTS);
  for (uint32_t i = 0; i < old_slots; i++)
    if (old.slots[i] != ID_NONE) put_where_free(t, hash_of(context, old.slots[i]), old.slots[i]);
  arena_release(keep, old.slots, old_slots * sizeof *old.slots);
}

void id_table_clear(id_table *t) {
  if (t->slots) memset(t->slots, 0xff, ((size_t)t->mask + 1) * sizeof *t->slots);
  t->count = 0;
}
