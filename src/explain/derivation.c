#include "explain/derivation.h"

#include "explain/body_run.h"

#include <string.h>

/* ---- goals ---- */

static uint64_t hash_of_goal(const void *context, uint32_t id) {
  const derivation *d = context;
  return hash_mix(d->goals.items[id].atom);
}

goal_id derivation_goal(const derivation *d, term_id atom) {
  if (!d->index.slots) return GOAL_ID_NONE;
  for (uint32_t at = id_table_first(&d->index, hash_mix(atom));;
       at = id_table_next(&d->index, at)) {
    const goal_id id = d->index.slots[at];
    if (id == ID_NONE) return GOAL_ID_NONE;
    if (d->goals.items[id].atom == atom) return id;
  }
}

static bool is_leaf(const derivation *d, term_id atom) {
  const relation_id r = world_relation(d->world, atom);
  return r == SYM_TRUE || r == SYM_DOES || world_fact(d->world, atom) != ID_NONE;
}

static goal_id goal_of(derivation *d, term_id atom) {
  const goal_id known = derivation_goal(d, atom);
  if (known != GOAL_ID_NONE) return known;
  const goal_id id = d->goals.count;
  const derived_goal g = {.atom = atom, .is_leaf = is_leaf(d, atom), .instance = ID_NONE};
  vec_push(d->keep, &d->goals, g);
  id_table_reserve(&d->index, d->keep, hash_of_goal, d);
  uint32_t at = id_table_first(&d->index, hash_mix(atom));
  while (d->index.slots[at] != ID_NONE) at = id_table_next(&d->index, at);
  id_table_put(&d->index, at, id);
  return id;
}

/* ---- instances ---- */

typedef struct instance_search {
  derivation *d;
  goal_id head;
  const ref_clause *clause;
} instance_search;

static term_id condition_atom(const derivation *d, const ref_condition *c,
                              const term_id *bindings) {
  const term_id part = world_instance(d->world, c->atom, bindings, NULL);
  return c->relation == SYM_TRUE ? term_atom(d->world->terms, SYM_TRUE, &part, 1) : part;
}

static const term_id *copy_bindings(const derivation *d, const ref_clause *c,
                                    const term_id *bindings) {
  term_id *copy = arena_new_array(d->keep, term_id, c->variable_count + (size_t)1);
  if (c->variable_count) memcpy(copy, bindings, c->variable_count * sizeof *copy);
  return copy;
}

/* A body_visitor's `solved`. */
static bool add_instance(void *context, const term_id *bindings) {
  const instance_search *s = context;
  derivation *d = s->d;
  rule_instance it = {.clause = s->clause, .head = s->head};
  it.bindings = copy_bindings(d, s->clause, bindings);
  it.first_condition = d->conditions.count;
  it.length = 1;
  for (uint32_t i = 0; i < s->clause->body_count; i++) {
    const ref_condition *c = &s->clause->body[i];
    it.length += c->kind != LITERAL_POSITIVE;
    if (c->kind != LITERAL_POSITIVE) continue;
    const goal_id g = goal_of(d, condition_atom(d, c, bindings));
    vec_push(d->keep, &d->conditions, g);
    it.condition_count++;
  }
  it.missing = it.condition_count;
  vec_push(d->keep, &d->instances, it);
  return true;
}

static void clear_bindings(term_id *bindings, const ref_clause *c) {
  if (c->variable_count) memset(bindings, 0xff, c->variable_count * sizeof *bindings);
}

/* A head may have parts that the atom gives no value; the instance must give the atom. */
static void try_rule(derivation *d, goal_id g, const ref_clause *c, term_id *bindings) {
  instance_search s = {d, g, c};
  const body_visitor v = {.context = &s, .solved = add_instance};
  clear_bindings(bindings, c);
  if (world_meet(d->world, d->goals.items[g].atom, c->head, bindings))
    body_run(d->world, c, bindings, &v);
}

static void expand(derivation *d, goal_id g, term_id *bindings) {
  if (d->goals.items[g].is_leaf) return;
  const relation_id r = world_relation(d->world, d->goals.items[g].atom);
  const ref_relation *relation = &d->world->rules.relations[r];
  for (uint32_t i = 0; i < relation->rule_count; i++)
    try_rule(d, g, &d->world->rules.rules.items[relation->first_rule + i], bindings);
}

/* ---- the shortest ---- */

/* A derivation that is complete but for its place in the order of lengths. */
typedef struct candidate {
  uint64_t length;
  goal_id goal;
  uint32_t instance; /* ID_NONE: a leaf */
} candidate;

typedef struct shortest_search {
  derivation *d;
  arena *keep;
  VEC(candidate) heap; /* the shortest first */
  uint32_t *first_use; /* by goal: first of its uses in `next_use`, which are conditions */
  uint32_t *next_use;  /* by condition */
  uint32_t *user;      /* by condition: its instance */
} shortest_search;

/* Equal lengths go by the order of the text. */
static bool is_before(const candidate *a, const candidate *b) {
  return a->length != b->length ? a->length < b->length : a->instance < b->instance;
}

static void heap_push(shortest_search *s, candidate c) {
  vec_push(s->keep, &s->heap, c);
  candidate *h = s->heap.items;
  for (uint32_t i = s->heap.count - 1; i && is_before(&h[i], &h[(i - 1) / 2]); i = (i - 1) / 2) {
    const candidate parent = h[(i - 1) / 2];
    h[(i - 1) / 2] = h[i];
    h[i] = parent;
  }
}

static candidate heap_pop(shortest_search *s) {
  candidate *h = s->heap.items;
  const candidate top = h[0];
  h[0] = h[--s->heap.count];
  for (uint32_t i = 0, k; (k = 2 * i + 1) < s->heap.count; i = k) {
    if (k + 1 < s->heap.count && is_before(&h[k + 1], &h[k])) k++;
    if (!is_before(&h[k], &h[i])) break;
    const candidate child = h[k];
    h[k] = h[i];
    h[i] = child;
  }
  return top;
}

static void note_uses(shortest_search *s) {
  const derivation *d = s->d;
  s->first_use = arena_new_array(s->keep, uint32_t, d->goals.count);
  memset(s->first_use, 0xff, d->goals.count * sizeof *s->first_use);
  s->next_use = arena_new_array(s->keep, uint32_t, d->conditions.count + (size_t)1);
  s->user = arena_new_array(s->keep, uint32_t, d->conditions.count + (size_t)1);
  for (uint32_t i = 0; i < d->instances.count; i++) {
    const rule_instance *it = &d->instances.items[i];
    for (uint32_t k = it->first_condition; k < it->first_condition + it->condition_count; k++) {
      const goal_id g = d->conditions.items[k];
      s->user[k] = i;
      s->next_use[k] = s->first_use[g];
      s->first_use[g] = k;
    }
  }
}

static void push_complete(shortest_search *s) {
  const derivation *d = s->d;
  for (goal_id g = 0; g < d->goals.count; g++)
    if (d->goals.items[g].is_leaf) heap_push(s, (candidate){1, g, ID_NONE});
  for (uint32_t i = 0; i < d->instances.count; i++) {
    const rule_instance *it = &d->instances.items[i];
    if (!it->missing) heap_push(s, (candidate){it->length, it->head, i});
  }
}

static uint64_t sum(uint64_t a, uint64_t b) { return a > UINT64_MAX - b ? UINT64_MAX : a + b; }

/* Its length is known now: rules that waited for it come nearer. */
static void settle(shortest_search *s, candidate c) {
  derivation *d = s->d;
  d->goals.items[c.goal].length = c.length;
  d->goals.items[c.goal].instance = c.instance;
  for (uint32_t k = s->first_use[c.goal]; k != ID_NONE; k = s->next_use[k]) {
    rule_instance *it = &d->instances.items[s->user[k]];
    it->length = sum(it->length, c.length);
    if (--it->missing == 0) heap_push(s, (candidate){it->length, it->head, s->user[k]});
  }
}

static void find_shortest(derivation *d) {
  shortest_search s = {.d = d, .keep = arena_new()};
  note_uses(&s);
  push_complete(&s);
  while (s.heap.count && !d->goals.items[0].length) {
    const candidate c = heap_pop(&s);
    if (!d->goals.items[c.goal].length) settle(&s, c);
  }
  arena_free(s.keep);
}

bool derivation_find(derivation *d, world *w, term_id atom, arena *keep) {
  *d = (derivation){.world = w, .keep = keep};
  term_id *bindings = arena_new_array(keep, term_id, w->rules.variables_max + (size_t)1);
  if (!world_holds(w, atom)) return false;
  goal_of(d, atom);
  for (goal_id g = 0; g < d->goals.count && !w->trouble.is_there && !budget_is_spent(w->budget);
       g++)
    expand(d, g, bindings);
  find_shortest(d);
  return d->goals.items[0].length;
}
