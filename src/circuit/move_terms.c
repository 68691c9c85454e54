#include "circuit/move_terms.h"

#include <string.h>

/* ---- values ---- */

uint32_t set_value_of(move_choice choice) {
  if (choice.kind == MOVES_NONE) return WIRE_FALSE;
  if (choice.kind == MOVES_ALL) return WIRE_TRUE;
  return SET_VALUE | choice.set << 1 | (choice.kind == MOVES_NOT_IN);
}

move_choice set_value_choice(uint32_t value) {
  if (value == WIRE_FALSE) return (move_choice){.kind = MOVES_NONE};
  if (value == WIRE_TRUE) return (move_choice){.kind = MOVES_ALL};
  return (move_choice){.kind = value & 1 ? MOVES_NOT_IN : MOVES_IN,
                       .set = (value & ~SET_VALUE) >> 1};
}

static uint32_t role_of_value(const move_terms *t, uint32_t value) {
  return t->sets->sets.items[(value & ~SET_VALUE) >> 1].role;
}

/* ---- terms ---- */

void move_terms_clear(move_terms *t) { t->all.count = t->values.count = 0; }

/* What is in all sets of a role; WIRE_TRUE when there is none. */
static uint32_t all_of_role(move_terms *t, uint32_t role, const uint32_t *values, uint32_t count) {
  t->choices.count = 0;
  for (uint32_t i = 0; i < count; i++)
    if (role_of_value(t, values[i]) == role)
      vec_push(t->scratch, &t->choices, set_value_choice(values[i]));
  if (!t->choices.count) return WIRE_TRUE;
  return set_value_of(move_sets_all(t->sets, t->choices.items, t->choices.count));
}

/* The same for all roles; false: one of them can do nothing. */
static bool join_values(move_terms *t, uint32_t sets, const uint32_t *values, uint32_t count) {
  for (uint32_t role = 0; role < t->role_count; role++) {
    const uint32_t value = all_of_role(t, role, values, count);
    if (value == WIRE_FALSE) return false;
    t->values.items[sets + role] = value;
  }
  return true;
}

bool move_terms_add(move_terms *t, wire_range conditions, const uint32_t *values, uint32_t count) {
  const uint32_t sets = t->values.count;
  bool is_one_each = true;
  for (uint32_t role = 0; role < t->role_count; role++) vec_push(t->scratch, &t->values, WIRE_TRUE);
  for (uint32_t i = 0; i < count; i++) {
    uint32_t *value = &t->values.items[sets + role_of_value(t, values[i])];
    is_one_each &= *value == WIRE_TRUE;
    *value = values[i];
  }
  if (!is_one_each && !join_values(t, sets, values, count)) {
    t->values.count = sets;
    return false;
  }
  const move_term term = {conditions.first, conditions.count, sets, ID_NONE, 0};
  vec_push(t->scratch, &t->all, term);
  return true;
}

/* ---- joining ---- */

/* False: no two terms have the same conditions besides moves. */
static bool hash_conditions(move_terms *t) {
  uint64_t seen = 0;
  bool may_be_equal = false;
  for (uint32_t i = 0; i < t->all.count; i++) {
    move_term *it = &t->all.items[i];
    it->hash = hash_ids(vec_from(t->wires, it->first), it->count);
    const uint64_t bit = UINT64_C(1) << (it->hash & 63);
    may_be_equal |= (seen & bit) != 0;
    seen |= bit;
  }
  return may_be_equal;
}

static uint64_t hash_without(const move_terms *t, const move_term *it, uint32_t role) {
  uint64_t hash = it->hash;
  for (uint32_t other = 0; other < t->role_count; other++)
    if (other != role) hash = hash_add(hash, t->values.items[it->sets + other]);
  return hash;
}

static bool are_equal_without(const move_terms *t, const move_term *a, const move_term *b,
                              uint32_t role) {
  if (a->hash != b->hash || a->count != b->count) return false;
  for (uint32_t other = 0; other < t->role_count; other++)
    if (other != role && t->values.items[a->sets + other] != t->values.items[b->sets + other])
      return false;
  const wire *wires = t->wires->items;
  return !a->count || memcmp(wires + a->first, wires + b->first, a->count * sizeof *wires) == 0;
}

/* The first of the terms before `end` that is like this one but for the role; or, if there is none,
   `end`, which is remembered. */
static uint32_t find_like(move_terms *t, const move_term *it, uint32_t role, uint32_t end) {
  const uint32_t mask = t->slots.count - 1;
  uint32_t at = (uint32_t)hash_without(t, it, role) & mask;
  for (; t->slots.items[at]; at = (at + 1) & mask) {
    const uint32_t other = t->slots.items[at] - 1;
    if (are_equal_without(t, &t->all.items[other], it, role)) return other;
  }
  t->slots.items[at] = end + 1;
  return end;
}

static void clear_slots(move_terms *t) {
  uint32_t size = 16;
  while (size < t->all.count * 2) size *= 2;
  t->slots.count = 0;
  vec_reserve(t->scratch, &t->slots, size);
  t->slots.count = size;
  memset(t->slots.items, 0, size * sizeof *t->slots.items);
}

static uint32_t union_of_joined(move_terms *t, const move_term *it, uint32_t role) {
  t->choices.count = 0;
  const move_choice own = set_value_choice(t->values.items[it->sets + role]);
  vec_push(t->scratch, &t->choices, move_choice_not(own));
  for (uint32_t i = it->joined; i != ID_NONE; i = t->joined.items[i].next) {
    const move_choice more = set_value_choice(t->joined.items[i].value);
    vec_push(t->scratch, &t->choices, move_choice_not(more));
  }
  return set_value_of(move_choice_not(move_sets_all(t->sets, t->choices.items, t->choices.count)));
}

/* Joins the terms that differ in what one role does alone. */
static void join_role(move_terms *t, uint32_t role) {
  uint32_t kept = 0;
  t->joined.count = 0;
  clear_slots(t);
  for (uint32_t i = 0; i < t->all.count; i++) {
    const move_term it = t->all.items[i];
    const uint32_t like = find_like(t, &it, role, kept);
    if (like == kept) {
      t->all.items[kept++] = it;
      continue;
    }
    const joined_set set = {t->values.items[it.sets + role], t->all.items[like].joined};
    t->all.items[like].joined = t->joined.count;
    vec_push(t->scratch, &t->joined, set);
  }
  t->all.count = kept;
  for (uint32_t i = 0; i < kept; i++) {
    move_term *it = &t->all.items[i];
    if (it->joined == ID_NONE) continue;
    t->values.items[it->sets + role] = union_of_joined(t, it, role);
    it->joined = ID_NONE;
  }
}

static bool any_has_role(const move_terms *t, uint32_t role) {
  for (uint32_t i = 0; i < t->all.count; i++)
    if (t->values.items[t->all.items[i].sets + role] != WIRE_TRUE) return true;
  return false;
}

void move_terms_join(move_terms *t) {
  if (t->all.count < 2 || !hash_conditions(t)) return;
  for (uint32_t role = 0; role < t->role_count && t->all.count > 1; role++)
    if (any_has_role(t, role)) join_role(t, role);
}
