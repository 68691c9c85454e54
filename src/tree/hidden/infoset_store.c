#include "tree/hidden/infoset_store.h"

/* Moves with less than this part of the largest share are made for the sake of trying alone. */
static const double TRIED_ONLY = .02;

infoset_store *infosets_new(size_t bytes_max, arena *keep) {
  infoset_store *s = arena_alloc_zero(keep, sizeof *s);
  s->keep = keep;
  s->bytes_max = bytes_max;
  return s;
}

static uint64_t hash_of(const void *context, uint32_t id) {
  const infoset_store *s = context;
  return s->sets.items[id].key;
}

infoset_id infosets_find(const infoset_store *s, uint64_t key) {
  if (!s->index.slots) return INFOSET_NONE;
  uint32_t at = id_table_first(&s->index, key);
  for (; s->index.slots[at] != ID_NONE; at = id_table_next(&s->index, at))
    if (s->sets.items[s->index.slots[at]].key == key) return s->index.slots[at];
  return INFOSET_NONE;
}

/* Arrays are doubled, so that they may be half empty. */
static bool is_full(const infoset_store *s, uint32_t more) {
  const size_t bytes = ((size_t)s->sets.count + 1) * (sizeof(infoset) + 2 * sizeof(uint32_t)) +
                       ((size_t)s->choices.count + more) * sizeof(infoset_choice);
  return bytes * 2 > s->bytes_max;
}

static uint32_t free_slot(const infoset_store *s, uint64_t key) {
  uint32_t at = id_table_first(&s->index, key);
  while (s->index.slots[at] != ID_NONE) at = id_table_next(&s->index, at);
  return at;
}

infoset_id infosets_add(infoset_store *s, uint64_t key, uint32_t role, const move_id *moves,
                        uint32_t count) {
  assert(infosets_find(s, key) == INFOSET_NONE);
  if (is_full(s, count)) return INFOSET_NONE;
  const infoset_id id = s->sets.count;
  id_table_reserve(&s->index, s->keep, hash_of, s);
  vec_reserve(s->keep, &s->sets, 1);
  vec_reserve(s->keep, &s->choices, count);
  const uint32_t first = s->choices.count;
  for (uint32_t i = 0; i < count; i++)
    s->choices.items[first + i] = (infoset_choice){.move = moves[i], .value = .5f};
  s->choices.count += count;
  s->sets.items[s->sets.count++] =
      (infoset){.key = key, .first = first, .count = count, .role = role};
  id_table_put(&s->index, free_slot(s, key), id);
  return id;
}

void infosets_shares(const infoset_store *s, infoset_id id, float *shares) {
  const infoset_choice *c = infoset_choices(s, id);
  const uint32_t count = s->sets.items[id].count;
  float sum = 0;
  for (uint32_t i = 0; i < count; i++) sum += c[i].regret;
  for (uint32_t i = 0; i < count; i++)
    shares[i] = sum > 0 ? c[i].regret / sum : 1.0f / (float)count;
}

static double without_trials(double *shares, uint32_t count, double most) {
  double sum = 0;
  for (uint32_t i = 0; i < count; i++) {
    if (shares[i] < most * TRIED_ONLY) shares[i] = 0;
    sum += shares[i];
  }
  return sum;
}

void infosets_average(const infoset_store *s, infoset_id id, double *shares) {
  const infoset_choice *c = infoset_choices(s, id);
  const uint32_t count = s->sets.items[id].count;
  double most = 0;
  for (uint32_t i = 0; i < count; i++) {
    shares[i] = c[i].sum;
    most = c[i].sum > most ? c[i].sum : most;
  }
  const double sum = without_trials(shares, count, most);
  for (uint32_t i = 0; i < count; i++) shares[i] = sum > 0 ? shares[i] / sum : 1.0 / count;
}
