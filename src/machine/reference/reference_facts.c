#include "machine/reference/reference_facts.h"

#include "base/vec.h"

#include <string.h>

void facts_init(fact_store *f, const term_table *terms, arena *keep) {
  *f = (fact_store){
      .terms = terms, .keep = keep, .place_of = f->place_of, .place_size = f->place_size};
}

/* ---- groups ---- */

static uint64_t group_hash(symbol_id name, uint32_t arity) {
  return hash_ids((const uint32_t[]){name, arity}, 2);
}

static uint64_t hash_of_group(const void *context, uint32_t id) {
  const fact_store *f = context;
  return group_hash(f->groups.items[id].name, f->groups.items[id].arity);
}

/* The slot of the group, or the empty one where it would be. */
static uint32_t group_slot(const fact_store *f, symbol_id name, uint32_t arity) {
  uint32_t at = id_table_first(&f->group_index, group_hash(name, arity));
  for (;; at = id_table_next(&f->group_index, at)) {
    const uint32_t id = f->group_index.slots[at];
    if (id == ID_NONE) return at;
    if (f->groups.items[id].name == name && f->groups.items[id].arity == arity) return at;
  }
}

fact_group *facts_group(fact_store *f, symbol_id name, uint32_t arity) {
  if (f->group_index.count == 0) return NULL;
  const uint32_t id = f->group_index.slots[group_slot(f, name, arity)];
  return id == ID_NONE ? NULL : &f->groups.items[id];
}

static fact_group *group_to_fill(fact_store *f, symbol_id name, uint32_t arity) {
  id_table_reserve(&f->group_index, f->keep, hash_of_group, f);
  const uint32_t at = group_slot(f, name, arity);
  if (f->group_index.slots[at] != ID_NONE) return &f->groups.items[f->group_index.slots[at]];
  const fact_group fresh = {
      .name = name, .arity = arity, .indexes = arena_zero_array(f->keep, fact_index *, arity)};
  vec_push(f->keep, &f->groups, fresh);
  id_table_put(&f->group_index, at, f->groups.count - 1);
  return &vec_last(&f->groups);
}

/* ---- facts ---- */

bool facts_have(const fact_store *f, term_id fact) {
  if (fact >= f->place_size) return false;
  const uint32_t place = f->place_of[fact];
  return place < f->all.facts.count && f->all.facts.items[place] == fact;
}

static void reserve_place(fact_store *f, term_id fact, arena *places) {
  if (fact < f->place_size) return;
  const uint32_t size = fact + 1 > 2 * f->place_size ? fact + 1 : 2 * f->place_size;
  f->place_of = arena_grow(places, f->place_of, f->place_size * sizeof *f->place_of,
                           size * sizeof *f->place_of);
  memset(f->place_of + f->place_size, 0, (size - f->place_size) * sizeof *f->place_of);
  f->place_size = size;
}

void facts_add(fact_store *f, term_id fact, arena *places) {
  if (facts_have(f, fact)) return;
  reserve_place(f, fact, places);
  f->place_of[fact] = f->all.facts.count;
  vec_push(f->keep, &f->all.facts, fact);
  const term *it = term_get(f->terms, fact);
  fact_group *g = group_to_fill(f, it->name, it->arg_count);
  vec_push(f->keep, &g->facts, fact);
}

/* ---- indexes ---- */

typedef struct index_context {
  const fact_store *facts;
  const fact_group *group;
  uint32_t argument;
} index_context;

static term_id value_of(const index_context *c, uint32_t i) {
  return term_arg(c->facts->terms, c->group->facts.items[i], c->argument);
}

static uint64_t value_hash(term_id value) { return hash_mix(value); }

static uint64_t hash_of_fact(const void *context, uint32_t i) {
  return value_hash(value_of(context, i));
}

static uint32_t value_slot(const index_context *c, const id_table *t, term_id value) {
  uint32_t at = id_table_first(t, value_hash(value));
  while (t->slots[at] != ID_NONE && value_of(c, t->slots[at]) != value) at = id_table_next(t, at);
  return at;
}

/* The last fact goes in first, so that chains are in the order of the facts. */
static fact_index *make_index(fact_store *f, const fact_group *g, uint32_t argument) {
  const index_context c = {f, g, argument};
  fact_index *index = arena_alloc_zero(f->keep, sizeof *index);
  index->next = arena_new_array(f->keep, uint32_t, g->facts.count);
  for (uint32_t i = g->facts.count; i-- > 0;) {
    id_table_reserve(&index->first, f->keep, hash_of_fact, &c);
    const uint32_t at = value_slot(&c, &index->first, value_of(&c, i));
    index->next[i] = index->first.slots[at];
    if (index->next[i] == ID_NONE)
      id_table_put(&index->first, at, i);
    else
      index->first.slots[at] = i;
  }
  return index;
}

const fact_index *facts_index(fact_store *f, fact_group *g, uint32_t argument) {
  if (!g->indexes[argument]) g->indexes[argument] = make_index(f, g, argument);
  return g->indexes[argument];
}

uint32_t fact_index_first(const fact_store *f, const fact_group *g, const fact_index *index,
                          uint32_t argument, term_id value) {
  const index_context c = {f, g, argument};
  if (index->first.count == 0) return ID_NONE;
  return index->first.slots[value_slot(&c, &index->first, value)];
}
