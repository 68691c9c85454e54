#include "board/evidence/key_evidence.h"

#include "base/sort.h"

static uint64_t key_hash(const fact_book *b, fact_id f, key k) {
  value_id values[KEY_MAX];
  for (uint32_t i = 0; i < k.count; i++) values[i] = fact_value(b, f, k.columns[i]);
  return hash_ids(values, k.count);
}

static uint32_t count_different(uint64_t *keys, uint32_t count) {
  uint32_t different = count > 0;
  sort_keys(keys, count);
  for (uint32_t i = 1; i < count; i++) different += keys[i] != keys[i - 1];
  return different;
}

static uint32_t different_keys(const fact_book *b, const fact_id *facts, uint32_t count, key k,
                               uint64_t *room) {
  for (uint32_t i = 0; i < count; i++) room[i] = key_hash(b, facts[i], k);
  return count_different(room, count);
}

/* The number of different keys, summed over all states. */
static uint64_t keys_in_states(const survey *v, const shape_survey *x, key k, uint32_t *states) {
  const fact_book *b = &v->samples->fluents;
  arena *scratch = arena_new();
  uint64_t *room = arena_new_array(scratch, uint64_t, x->most_at_once + 1), sum = 0;
  *states = 0;
  for (uint32_t i = 0; i < v->samples->states.count; i++) {
    const uint32_t from = x->seen_from[i], count = x->seen_from[i + 1] - from;
    *states += count > 0;
    if (count) sum += different_keys(b, x->seen.items + from, count, k, room);
  }
  arena_free(scratch);
  return sum;
}

double key_uniqueness(const survey *v, const shape_survey *x, key k) {
  uint32_t states;
  if (!x->seen.count) return 1;
  return (double)keys_in_states(v, x, k, &states) / x->seen.count;
}

double key_fill(const survey *v, const shape_survey *x, key k) {
  uint32_t states;
  const uint32_t all = key_count(v, &x->facts, k);
  const uint64_t sum = keys_in_states(v, x, k, &states);
  return states && all ? (double)sum / v->samples->states.count / all : 0;
}

uint32_t key_count(const survey *v, const id_vec *facts, key k) {
  arena *scratch = arena_new();
  uint64_t *room = arena_new_array(scratch, uint64_t, facts->count + 1);
  const uint32_t count = different_keys(&v->samples->fluents, facts->items, facts->count, k, room);
  arena_free(scratch);
  return count;
}
