/* The states of a walk over ranks that this rank has: read in order, and found again. */
#include "states/level_walk.h"

uint64_t level_walk_states(const level_walk *w) {
  uint64_t all = 0;
  for (uint32_t i = 0; i < w->sizes.count; i++) all += w->sizes.items[i];
  return all;
}

size_t level_walk_bytes(const level_walk *w) {
  size_t all = atomic_load(&w->fresh.bytes);
  for (uint32_t i = 0; i < w->levels.count; i++) all += w->levels.items[i]->bytes;
  return all;
}

static uint32_t note_places(uint32_t level, uint32_t first, uint32_t end, state_place *places) {
  const uint32_t count = end - first < LANES ? end - first : LANES;
  for (uint32_t i = 0; i < count; i++) places[i] = (state_place){level, first + i};
  return count;
}

uint32_t level_walk_read(const level_walk *w, uint32_t level, uint64_t block,
                         const uint8_t **states, state_place *places) {
  const level_run *l = w->levels.items[level];
  if (block * LANES >= l->count) return 0;
  *states = level_run_state(l, (uint32_t)block * LANES);
  return note_places(level, (uint32_t)block * LANES, l->count, places);
}

static void numbers_of_shard(const level_walk *w, uint32_t level, uint32_t shard, number_span *s) {
  level_run_slice(w->levels.items[level], shard_span(shard), &s->first, &s->end);
}

uint32_t level_walk_shard_read(const level_walk *w, uint32_t shard, uint64_t first,
                               const uint8_t **states, state_place *places) {
  for (uint32_t level = 0; level < w->levels.count; level++) {
    number_span s;
    numbers_of_shard(w, level, shard, &s);
    if (first < s.end - s.first) {
      const uint32_t at = s.first + (uint32_t)first;
      *states = level_run_state(w->levels.items[level], at);
      return note_places(level, at, s.end, places);
    }
    first -= s.end - s.first;
  }
  return 0;
}

/* ---- looking up ---- */

static bool find_in_others(const level_walk *w, const uint8_t *state, uint64_t hash,
                           state_place *where) {
  for (uint32_t level = w->levels.count; level-- > 0;) {
    const uint32_t number = level_run_find(w->levels.items[level], state, hash);
    if (number == UINT32_MAX) continue;
    *where = (state_place){level, number};
    return true;
  }
  return false;
}

bool level_walk_find(const level_walk *w, const uint8_t *state, state_place *where) {
  const uint64_t hash = store_hash(&w->fresh, state);
  return rank_of_hash(w->r, hash) == ranks_rank(w->r) && find_in_others(w, state, hash, where);
}

/* What is needed AHEAD states later is prefetched. */
void level_walk_find_all(const level_walk *w, const uint8_t *states, uint32_t count, uint32_t near,
                         state_place *places) {
  enum { AHEAD = 12, ROUND = 64 };
  uint64_t hashes[ROUND];
  const uint32_t bytes = w->s->state_bytes;
  const level_run *l = w->levels.items[near < w->levels.count ? near : w->levels.count - 1];
  for (uint32_t first = 0; first < count; first += ROUND) {
    const uint32_t here = count - first < ROUND ? count - first : ROUND;
    for (uint32_t i = 0; i < here; i++) {
      hashes[i] = store_hash(&w->fresh, states + (size_t)(first + i) * bytes);
      level_run_prefetch_index(l, hashes[i]);
    }
    for (uint32_t i = 0; i < here + AHEAD; i++) {
      if (i < here) level_run_prefetch_states(l, hashes[i]);
      if (i < AHEAD) continue;
      const uint8_t *state = states + (size_t)(first + i - AHEAD) * bytes;
      state_place *p = &places[first + i - AHEAD];
      *p = (state_place){l->label.level, level_run_find(l, state, hashes[i - AHEAD])};
      if (p->number == UINT32_MAX && !find_in_others(w, state, hashes[i - AHEAD], p))
        *p = (state_place){0}; /* that cannot be: every step leads to a state of the walk */
    }
  }
}
