#include "solve/pn_table.h"

#include "base/hash.h"

#include <string.h>

enum { WAYS = 4, FIRST_BUCKETS = 1 << 10, CYCLE_FLAG = 1 };

/* Before the bytes of the state. */
typedef struct entry_head {
  uint32_t yes, no;
  uint32_t work; /* 0: nothing is here */
  uint16_t question;
  uint16_t flags;
} entry_head;

static entry_head *entry_at(const pn_table *t, uint64_t i) {
  return (entry_head *)(t->entries + i * t->stride);
}

static uint8_t *state_of(entry_head *e) { return (uint8_t *)(e + 1); }

static uint64_t first_of(const pn_table *t, uint32_t question, uint64_t hash) {
  return (hash_mix(hash + question) & (t->buckets - 1)) * WAYS;
}

void pn_table_init(pn_table *t, uint32_t state_bytes, size_t most_bytes, arena *keep) {
  const uint32_t stride = (uint32_t)(sizeof(entry_head) + state_bytes + 3) / 4 * 4;
  *t = (pn_table){.keep = keep,
                  .state_bytes = state_bytes,
                  .stride = stride,
                  .buckets = FIRST_BUCKETS,
                  .most_bytes = most_bytes};
  t->entries = arena_zero_array(keep, uint8_t, t->buckets * WAYS * stride);
}

void pn_table_prefetch(const pn_table *t, uint32_t question, uint64_t hash) {
  __builtin_prefetch(entry_at(t, first_of(t, question, hash)), 0, 1);
}

/* ---- finding ---- */

static entry_head *find_entry(const pn_table *t, uint32_t question, const uint8_t *state,
                              uint64_t hash) {
  const uint64_t first = first_of(t, question, hash);
  for (uint32_t i = 0; i < WAYS; i++) {
    entry_head *e = entry_at(t, first + i);
    if (e->work && e->question == question && memcmp(state_of(e), state, t->state_bytes) == 0)
      return e;
  }
  return NULL;
}

bool pn_table_find(const pn_table *t, uint32_t question, const uint8_t *state, uint64_t hash,
                   pn_numbers *found) {
  const entry_head *e = find_entry(t, question, state, hash);
  if (!e) return false;
  *found = (pn_numbers){e->yes, e->no, e->flags & CYCLE_FLAG};
  return true;
}

/* ---- putting ---- */

/* An empty place of the bucket, or the one with the least work. */
static entry_head *place_for(pn_table *t, uint64_t first) {
  entry_head *best = entry_at(t, first);
  for (uint32_t i = 1; i < WAYS && best->work; i++) {
    entry_head *e = entry_at(t, first + i);
    if (e->work < best->work) best = e;
  }
  return best;
}

static void move_entries(pn_table *t, uint8_t *from, uint64_t count) {
  for (uint64_t i = 0; i < count; i++) {
    entry_head *e = (entry_head *)(from + i * t->stride);
    if (!e->work) continue;
    const uint64_t hash = hash_bytes(state_of(e), t->state_bytes);
    memcpy(place_for(t, first_of(t, e->question, hash)), e, t->stride);
  }
}

/* Once half of the entries are in use: with more, buckets overflow often. */
static void grow(pn_table *t) {
  const size_t bytes = t->buckets * WAYS * t->stride;
  if (t->used * 2 < t->buckets * WAYS || 3 * bytes > t->most_bytes) return;
  uint8_t *old = t->entries;
  t->buckets *= 2;
  t->entries = arena_zero_array(t->keep, uint8_t, bytes * 2);
  move_entries(t, old, t->buckets / 2 * WAYS);
  arena_release(t->keep, old, bytes);
}

void pn_table_put(pn_table *t, uint32_t question, const uint8_t *state, uint64_t hash, pn_numbers n,
                  uint64_t work) {
  entry_head *e = find_entry(t, question, state, hash);
  if (!e) {
    grow(t);
    e = place_for(t, first_of(t, question, hash));
    t->used += !e->work;
    e->work = 0;
  }
  const uint64_t sum = (uint64_t)e->work + work;
  e->yes = n.yes;
  e->no = n.no;
  e->work = sum < UINT32_MAX ? (uint32_t)sum : UINT32_MAX;
  e->question = (uint16_t)question;
  e->flags = n.is_by_cycle ? CYCLE_FLAG : 0;
  memcpy(state_of(e), state, t->state_bytes);
}

void pn_table_forget_cycles(pn_table *t) {
  for (uint64_t i = 0; i < t->buckets * WAYS; i++) {
    entry_head *e = entry_at(t, i);
    if (!e->work || !(e->flags & CYCLE_FLAG)) continue;
    e->work = 0;
    t->used--;
  }
}
