#include "bdd/bdd_encoding.h"

#include "base/bitset.h"
#include "bdd/bdd_order.h"

#include <stdlib.h>

static uint32_t bits_for(uint32_t values) {
  uint32_t bits = 0;
  while (UINT32_C(1) << bits < values) bits++;
  return bits;
}

/* ---- groups ---- */

/* The latches of a fact that are in no group yet; `is_whole`: these are all of its members. */
static id_vec free_latches(const circuit *c, const fact_set *s, const fact *f, bitset taken,
                           bool *is_whole, arena *keep) {
  id_vec latches = {0};
  *is_whole = true;
  for (uint32_t i = 0; i < f->count; i++) {
    const wire w = fact_wire(s, c, f, i);
    const gate *g = &c->gates.items[wire_gate(w)];
    if (g->kind == GATE_LATCH && !wire_is_negated(w) && !bitset_has(taken, g->number))
      vec_push(keep, &latches, g->number);
    else
      *is_whole = false;
  }
  return latches;
}

/* Bits that a group saves. */
static uint32_t saving(const id_vec *latches, bool is_exactly_one) {
  const uint32_t bits = bits_for(latches->count + !is_exactly_one);
  return latches->count > bits ? latches->count - bits : 0;
}

typedef struct bdd_choice {
  uint32_t fact, saved;
} bdd_choice;

static int compare_choices(const void *left, const void *right) {
  const bdd_choice *a = left, *b = right;
  if (a->saved != b->saved) return a->saved > b->saved ? -1 : 1;
  return a->fact < b->fact ? -1 : a->fact > b->fact;
}

static void add_group(bdd_encoding *e, const id_vec *latches, bool is_exactly_one, arena *keep) {
  bdd_group group = {.is_exactly_one = is_exactly_one};
  for (uint32_t i = 0; i < latches->count; i++) {
    const uint32_t latch = latches->items[i];
    e->group_of[latch] = e->groups.count;
    e->code_of[latch] = i + !is_exactly_one;
    vec_push(keep, &group.latches, latch);
  }
  group.bit_count = bits_for(latches->count + !is_exactly_one);
  vec_push(keep, &e->groups, group);
}

/* What is left alone is a group by itself. */
static void add_single_latches(bdd_encoding *e, const circuit *c, bitset taken, arena *keep) {
  for (uint32_t i = 0; i < c->latches.count; i++) {
    id_vec one = {0};
    if (bitset_has(taken, i)) continue;
    vec_push(keep, &one, i);
    add_group(e, &one, false, keep);
  }
}

static uint32_t saving_of(const circuit *c, const fact_set *s, uint32_t f, bitset taken,
                          arena *scratch) {
  bool is_whole;
  const fact *it = &s->all.items[f];
  if (it->kind == FACT_AT_LEAST_ONE) return 0;
  const id_vec latches = free_latches(c, s, it, taken, &is_whole, scratch);
  return saving(&latches, it->kind == FACT_EXACTLY_ONE && is_whole);
}

/* Those that save most come first; what one has taken the others lack. */
static void choose_groups(bdd_encoding *e, const circuit *c, const fact_set *s, arena *keep) {
  const bitset taken = bitset_new(keep, c->latches.count + 1);
  VEC(bdd_choice) choices = {0};
  for (uint32_t i = 0; i < s->all.count; i++) {
    const bdd_choice choice = {i, saving_of(c, s, i, taken, keep)};
    if (choice.saved) vec_push(keep, &choices, choice);
  }
  if (choices.count) qsort(choices.items, choices.count, sizeof *choices.items, compare_choices);
  for (uint32_t i = 0; i < choices.count; i++) {
    bool is_whole;
    const fact *f = &s->all.items[choices.items[i].fact];
    const id_vec latches = free_latches(c, s, f, taken, &is_whole, keep);
    const bool is_exactly_one = f->kind == FACT_EXACTLY_ONE && is_whole;
    if (!saving(&latches, is_exactly_one)) continue;
    add_group(e, &latches, is_exactly_one, keep);
    for (uint32_t l = 0; l < latches.count; l++) bitset_add(taken, latches.items[l]);
  }
  add_single_latches(e, c, taken, keep);
}

void bdd_encode(bdd_encoding *e, const circuit *c, const fact_set *facts, arena *keep) {
  *e = (bdd_encoding){0};
  e->group_of = arena_new_array(keep, uint32_t, (size_t)c->latches.count + 1);
  e->code_of = arena_new_array(keep, uint32_t, (size_t)c->latches.count + 1);
  choose_groups(e, c, facts, keep);
  const uint32_t *order = bdd_order_groups(c, e->group_of, e->groups.count, keep);
  for (uint32_t i = 0; i < e->groups.count; i++) {
    bdd_group *group = &e->groups.items[order[i]];
    group->first_bit = e->bit_count;
    e->bit_count += group->bit_count;
  }
}
