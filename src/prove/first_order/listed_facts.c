#include "prove/first_order/listed_facts.h"

/* A place is an argument or an argument of an argument, and what stands there: a term, or only the
   name of one. */
typedef struct place_key {
  relation_id relation;
  uint32_t argument;
  uint32_t inner; /* 1 more than its number in the argument; 0: the argument itself */
  uint32_t value; /* a term; with `is_name` a name */
  bool is_name;
} place_key;

typedef struct fact_group {
  place_key key;
  id_vec heads;
} fact_group;

struct listed_facts {
  const program *p;
  arena *keep;
  bitset is_listed; /* by term */
  VEC(fact_group) groups;
  id_table index;
  id_vec *of_relation;
};

static const id_vec no_facts;

/* ---- groups ---- */

static uint64_t hash_of_key(const place_key *k) {
  return hash_ids((const uint32_t[]){k->relation, k->argument, k->inner, k->value, k->is_name}, 5);
}

static uint64_t hash_of_group(const void *context, uint32_t id) {
  return hash_of_key(&((const listed_facts *)context)->groups.items[id].key);
}

static bool is_same_key(const place_key *a, const place_key *b) {
  return a->relation == b->relation && a->argument == b->argument && a->inner == b->inner &&
         a->value == b->value && a->is_name == b->is_name;
}

/* Where the group is in the index, or would be. */
static uint32_t slot_of(const listed_facts *f, const place_key *k) {
  uint32_t at = id_table_first(&f->index, hash_of_key(k));
  while (f->index.slots[at] != ID_NONE && !is_same_key(&f->groups.items[f->index.slots[at]].key, k))
    at = id_table_next(&f->index, at);
  return at;
}

static void add_to_group(listed_facts *f, place_key k, term_id head) {
  id_table_reserve(&f->index, f->keep, hash_of_group, f);
  const uint32_t at = slot_of(f, &k);
  if (f->index.slots[at] == ID_NONE) {
    const fact_group fresh = {.key = k};
    vec_push(f->keep, &f->groups, fresh);
    id_table_put(&f->index, at, f->groups.count - 1);
  }
  vec_push(f->keep, &f->groups.items[f->index.slots[at]].heads, head);
}

static void add_fact(listed_facts *f, relation_id r, term_id head) {
  const term_table *t = f->p->terms;
  bitset_add(f->is_listed, head);
  vec_push(f->keep, &f->of_relation[r], head);
  for (uint32_t i = 0; i < term_get(t, head)->arg_count; i++) {
    const term_id arg = term_arg(t, head, i);
    const term *it = term_get(t, arg);
    add_to_group(f, (place_key){.relation = r, .argument = i, .value = arg}, head);
    if (!it->arg_count) continue;
    add_to_group(f, (place_key){.relation = r, .argument = i, .value = it->name, .is_name = true},
                 head);
    for (uint32_t k = 0; k < it->arg_count; k++)
      add_to_group(
          f,
          (place_key){.relation = r, .argument = i, .inner = k + 1, .value = term_arg(t, arg, k)},
          head);
  }
}

bool clause_is_listed(const program *p, const clause *c) {
  return !c->body_count && term_is_ground(p->terms, c->head);
}

listed_facts *listed_read(const program *p, arena *keep) {
  listed_facts *f = arena_alloc_zero(keep, sizeof *f);
  *f = (listed_facts){.p = p,
                      .keep = keep,
                      .is_listed = bitset_new(keep, p->terms->terms.count),
                      .of_relation = arena_zero_array(keep, id_vec, p->relations.count + 1)};
  id_table_reserve(&f->index, keep, hash_of_group, f);
  for (clause_id c = 0; c < p->clauses.count; c++) {
    const clause *it = &p->clauses.items[c];
    if (clause_is_listed(p, it)) add_fact(f, atom_relation(p, it->head), it->head);
  }
  return f;
}

/* ---- questions ---- */

bool listed_have(const listed_facts *f, relation_id r, term_id atom) {
  term_table *t = f->p->terms;
  const symbol_id name = f->p->relations.items[r].name;
  if (term_get(t, atom)->name != name)
    atom = term_atom(t, name, term_args(t, atom), term_get(t, atom)->arg_count);
  return atom < f->is_listed.size && bitset_has(f->is_listed, atom);
}

typedef struct fact_search {
  const listed_facts *f;
  const term_id *bindings;
  const id_vec *best;
} fact_search;

static void try_key(fact_search *s, place_key k) {
  const uint32_t at = slot_of(s->f, &k);
  const id_vec *heads = s->f->index.slots[at] == ID_NONE
                            ? &no_facts
                            : &s->f->groups.items[s->f->index.slots[at]].heads;
  if (heads->count < s->best->count) s->best = heads;
}

/* What stands at a place, or TERM_NONE when it may be anything.  A value that is not ground is an
   unknown thing that is taken to differ from all others: no listed fact has it. */
static term_id value_at(fact_search *s, term_id pattern) {
  const term_table *t = s->f->p->terms;
  if (!term_is_variable(t, pattern)) return pattern;
  const term_id value = s->bindings ? s->bindings[term_variable_number(t, pattern)] : TERM_NONE;
  if (value == TERM_NONE || term_is_ground(t, value)) return value;
  s->best = &no_facts;
  return TERM_NONE;
}

static void try_inner(fact_search *s, place_key k, term_id pattern) {
  const term_table *t = s->f->p->terms;
  k.value = term_get(t, pattern)->name;
  k.is_name = true;
  try_key(s, k);
  k.is_name = false;
  for (uint32_t i = 0; i < term_get(t, pattern)->arg_count; i++) {
    k.inner = i + 1;
    k.value = value_at(s, term_arg(t, pattern, i));
    if (k.value != TERM_NONE && term_is_ground(t, k.value)) try_key(s, k);
  }
}

const id_vec *listed_like(const listed_facts *f, relation_id r, term_id atom,
                          const term_id *bindings) {
  const term_table *t = f->p->terms;
  fact_search s = {.f = f, .bindings = bindings, .best = &f->of_relation[r]};
  for (uint32_t i = 0; i < term_get(t, atom)->arg_count && s.best->count; i++) {
    place_key k = {.relation = r, .argument = i, .value = value_at(&s, term_arg(t, atom, i))};
    if (k.value == TERM_NONE) continue;
    if (term_is_ground(t, k.value))
      try_key(&s, k);
    else if (!term_is_variable(t, k.value))
      try_inner(&s, k, k.value);
  }
  return s.best;
}
