#include "circuit/move_sets.h"

#include <stdlib.h>
#include <string.h>

void move_sets_init(move_sets *s, const uint32_t *universe, uint32_t role_count, arena *keep) {
  *s = (move_sets){.keep = keep, .role_count = role_count, .universe = universe};
}

/* ---- equal sets are one ---- */

static uint64_t hash_members(uint32_t role, const uint32_t *members, uint32_t count) {
  return hash_add(hash_ids(members, count), role);
}

static uint64_t hash_of_set(const void *context, uint32_t id) {
  const move_sets *s = context;
  const move_set *it = &s->sets.items[id];
  return hash_members(it->role, s->members.items + it->first, it->count);
}

/* Is what stands in `merged` the set `id`? */
static bool is_merged(const move_sets *s, set_id id, uint32_t role) {
  const move_set *it = &s->sets.items[id];
  return it->role == role && it->count == s->merged.count &&
         memcmp(s->members.items + it->first, s->merged.items, it->count * sizeof(uint32_t)) == 0;
}

static set_id intern_merged(move_sets *s, uint32_t role) {
  id_table_reserve(&s->index, s->keep, hash_of_set, s);
  uint32_t at = id_table_first(&s->index, hash_members(role, s->merged.items, s->merged.count));
  for (; s->index.slots[at] != ID_NONE; at = id_table_next(&s->index, at))
    if (is_merged(s, s->index.slots[at], role)) return s->index.slots[at];
  const move_set fresh = {role, s->members.count, s->merged.count};
  id_table_put(&s->index, at, s->sets.count);
  vec_push(s->keep, &s->sets, fresh);
  vec_append(s->keep, &s->members, s->merged.items, s->merged.count);
  return s->sets.count - 1;
}

/* In place of `merged` its complement. */
static void complement_merged(move_sets *s, uint32_t role) {
  const uint32_t old = s->merged.count;
  uint32_t at = 0;
  for (uint32_t move = 0; move < s->universe[role]; move++) {
    if (at < old && s->merged.items[at] == move)
      at++;
    else
      vec_push(s->keep, &s->merged, move);
  }
  s->merged.count -= old;
  memmove(s->merged.items, s->merged.items + old, s->merged.count * sizeof(uint32_t));
}

/* Of halves of equal size the one without the first move is kept. */
static bool is_larger_half(const move_sets *s, uint32_t role) {
  const uint64_t twice = (uint64_t)s->merged.count * 2;
  return twice > s->universe[role] || (twice == s->universe[role] && s->merged.items[0] == 0);
}

/* The set that stands in `merged`, or its complement if `negated`. */
static move_choice choice_of_merged(move_sets *s, uint32_t role, bool negated) {
  move_choice c = {0};
  if (s->merged.count == 0)
    c.kind = MOVES_NONE;
  else if (s->merged.count == s->universe[role])
    c.kind = MOVES_ALL;
  else {
    const bool is_large = is_larger_half(s, role);
    if (is_large) complement_merged(s, role);
    c.kind = is_large ? MOVES_NOT_IN : MOVES_IN;
    c.set = intern_merged(s, role);
  }
  return negated ? move_choice_not(c) : c;
}

/* ---- operations ---- */

move_choice move_sets_single(move_sets *s, uint32_t role, uint32_t move) {
  s->merged.count = 0;
  vec_push(s->keep, &s->merged, move);
  return choice_of_merged(s, role, false);
}

static int compare_ids(const void *left, const void *right) {
  const uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
  return (a > b) - (a < b);
}

/* Keeps, in ascending order, what stands in the list `times` times (at least: 0 and 1 are one). */
static void keep_frequent(id_vec *list, uint32_t times) {
  uint32_t kept = 0;
  if (list->count) qsort(list->items, list->count, sizeof *list->items, compare_ids);
  for (uint32_t i = 0, end; i < list->count; i = end) {
    for (end = i + 1; end < list->count && list->items[end] == list->items[i];) end++;
    if (end - i >= times) list->items[kept++] = list->items[i];
  }
  list->count = kept;
}

static void drop_excluded(move_sets *s) {
  uint32_t kept = 0, at = 0;
  for (uint32_t i = 0; i < s->merged.count; i++) {
    const uint32_t move = s->merged.items[i];
    while (at < s->excluded.count && s->excluded.items[at] < move) at++;
    if (at == s->excluded.count || s->excluded.items[at] != move) s->merged.items[kept++] = move;
  }
  s->merged.count = kept;
}

static void append_members(move_sets *s, id_vec *list, const move_set *it) {
  vec_append(s->keep, list, s->members.items + it->first, it->count);
}

move_choice move_sets_all(move_sets *s, const move_choice *choices, uint32_t count) {
  uint32_t positive = 0, role = 0;
  s->merged.count = s->excluded.count = 0;
  for (uint32_t i = 0; i < count; i++) {
    if (choices[i].kind == MOVES_NONE) return choices[i];
    if (choices[i].kind == MOVES_ALL) continue;
    const move_set it = s->sets.items[choices[i].set];
    role = it.role;
    positive += choices[i].kind == MOVES_IN;
    append_members(s, choices[i].kind == MOVES_IN ? &s->merged : &s->excluded, &it);
  }
  keep_frequent(&s->merged, positive);
  keep_frequent(&s->excluded, 1);
  if (positive) {
    drop_excluded(s);
    return choice_of_merged(s, role, false);
  }
  if (!s->excluded.count) return (move_choice){.kind = MOVES_ALL};
  const id_vec swapped = s->merged;
  s->merged = s->excluded;
  s->excluded = swapped;
  return choice_of_merged(s, role, true);
}
