#include "circuit/move_sets.h"

#include <string.h>

void move_sets_init(move_sets *s, const uint32_t *universe, uint32_t role_count, arena *keep) {
  uint32_t most = 0;
  for (uint32_t role = 0; role < role_count; role++)
    if (universe[role] > most) most = universe[role];
  *s = (move_sets){.keep = keep,
                   .role_count = role_count,
                   .universe = universe,
                   .excluded = bitset_new(keep, most)};
}

/* ---- equal sets are one ---- */

static uint64_t hash_members(uint32_t role, const uint32_t *members, uint32_t count) {
  return hash_add(hash_ids(members, count), role);
}

static uint64_t hash_of_set(const void *context, uint32_t id) {
  const move_sets *s = context;
  const move_set *it = &s->sets.items[id];
  return hash_members(it->role, vec_from(&s->members, it->first), it->count);
}

/* Is what stands in `merged` the set `id`? */
static bool is_merged(const move_sets *s, set_id id, uint32_t role) {
  const move_set *it = &s->sets.items[id];
  return it->role == role && it->count == s->merged.count &&
         memcmp(vec_from(&s->members, it->first), s->merged.items, it->count * sizeof(uint32_t)) ==
             0;
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
  memmove(s->merged.items, vec_from(&s->merged, old), s->merged.count * sizeof(uint32_t));
}

/* If both halves have the same size, the one without the first move is stored. */
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

static void append_members(move_sets *s, const move_set *it) {
  vec_append(s->keep, &s->merged, vec_from(&s->members, it->first), it->count);
}

/* Drops from `merged` what is not in a set. */
static void intersect_merged(move_sets *s, const move_set *it) {
  const uint32_t *members = vec_from(&s->members, it->first);
  uint32_t kept = 0, at = 0;
  for (uint32_t i = 0; i < s->merged.count; i++) {
    const uint32_t move = s->merged.items[i];
    while (at < it->count && members[at] < move) at++;
    if (at < it->count && members[at] == move) s->merged.items[kept++] = move;
  }
  s->merged.count = kept;
}

static void exclude_members(move_sets *s, const move_set *it) {
  for (uint32_t i = 0; i < it->count; i++) bitset_add(s->excluded, s->members.items[it->first + i]);
}

static void drop_excluded(move_sets *s) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < s->merged.count; i++)
    if (!bitset_has(s->excluded, s->merged.items[i])) s->merged.items[kept++] = s->merged.items[i];
  s->merged.count = kept;
}

static void append_excluded(move_sets *s) {
  for (uint32_t i = 0; i < bitset_words(s->excluded); i++)
    for (uint64_t left = s->excluded.words[i]; left; left &= left - 1)
      vec_push(s->keep, &s->merged, i * 64 + (uint32_t)__builtin_ctzll(left));
}

/* Joins the sets that are to hold into `merged`, and those that are not into `excluded`, which is
   as large as the role needs.  Returns true if there were any of the
   first kind. */
static bool join_choices(move_sets *s, const move_choice *choices, uint32_t count) {
  bool is_positive = false;
  for (uint32_t i = 0; i < count; i++) {
    if (choices[i].kind == MOVES_ALL) continue;
    const move_set it = s->sets.items[choices[i].set];
    if (choices[i].kind == MOVES_NOT_IN) {
      exclude_members(s, &it);
    } else if (is_positive) {
      intersect_merged(s, &it);
    } else {
      append_members(s, &it);
      is_positive = true;
    }
  }
  return is_positive;
}

move_choice move_sets_all(move_sets *s, const move_choice *choices, uint32_t count) {
  uint32_t role = ID_NONE;
  for (uint32_t i = 0; i < count; i++) {
    if (choices[i].kind == MOVES_NONE) return choices[i];
    if (choices[i].kind != MOVES_ALL) role = s->sets.items[choices[i].set].role;
  }
  if (role == ID_NONE) return (move_choice){.kind = MOVES_ALL};
  s->merged.count = 0;
  s->excluded.size = s->universe[role];
  const bool is_positive = join_choices(s, choices, count);
  if (is_positive)
    drop_excluded(s);
  else
    append_excluded(s);
  bitset_clear(s->excluded);
  return choice_of_merged(s, role, !is_positive);
}
