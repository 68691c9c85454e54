#include "machine/fluent_set.h"

#include "base/sort.h"

void position_print(const machine *m, const void *position, text *out) {
  arena *scratch = arena_new();
  const text_list fluents = fluents_of(m, position, scratch);
  for (uint32_t i = 0; i < fluents.count; i++) {
    if (i) text_add_char(out, ' ');
    text_add(out, fluents.items[i]);
  }
  arena_free(scratch);
}

/* ---- sets of numbers ---- */

typedef struct number_set {
  fluent_id *items; /* in ascending order, each once */
  uint32_t count;
} number_set;

static void make_set(number_set *s) {
  uint32_t kept = 0;
  sort_ids(s->items, s->count);
  for (uint32_t i = 0; i < s->count; i++)
    if (!kept || s->items[kept - 1] != s->items[i]) s->items[kept++] = s->items[i];
  s->count = kept;
}

static number_set set_of(const fluent_id *items, uint32_t count, arena *keep) {
  number_set s = {arena_new_array(keep, fluent_id, count + (size_t)1), count};
  if (count) memcpy(s.items, items, count * sizeof *items);
  make_set(&s);
  return s;
}

static number_set set_of_position(const machine *m, const void *position, arena *keep) {
  number_set s = {NULL, machine_fluents(m, position, NULL, 0)};
  s.items = arena_new_array(keep, fluent_id, s.count + (size_t)1);
  machine_fluents(m, position, s.items, s.count);
  make_set(&s);
  return s;
}

/* What is in `left` alone; returns how many. */
static uint32_t difference(const number_set *left, const number_set *right, fluent_id **out,
                           arena *keep) {
  uint32_t count = 0, k = 0;
  *out = arena_new_array(keep, fluent_id, left->count + (size_t)1);
  for (uint32_t i = 0; i < left->count; i++) {
    while (k < right->count && right->items[k] < left->items[i]) k++;
    if (k == right->count || right->items[k] != left->items[i]) (*out)[count++] = left->items[i];
  }
  return count;
}

/* ---- positions ---- */

bool position_of_fluents(const machine *m, const fluent_id *fluents, uint32_t count, void *position,
                         fluent_conflict *c, arena *keep) {
  const number_set wanted = set_of(fluents, count, keep);
  *c = (fluent_conflict){.is_full = !m->ops->place(m, wanted.items, wanted.count, position)};
  if (c->is_full) return false;
  const number_set placed = set_of_position(m, position, keep);
  c->missing_count = difference(&placed, &wanted, &c->missing, keep);
  c->excess_count = difference(&wanted, &placed, &c->excess, keep);
  return !c->missing_count && !c->excess_count;
}
