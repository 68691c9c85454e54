#include "rules/term_growth.h"

#include "rules/labelled.h"

#include <stdlib.h>
#include <string.h>

/* An argument place, or an argument of the fluent or move in it. */
typedef struct slot {
  relation_id relation;
  uint32_t argument;
  symbol_id functor; /* SYM_NONE: the whole argument */
  uint32_t functor_arity;
  uint32_t part; /* which argument of the functor */
} slot;

typedef struct slot_source {
  uint32_t slot;
  int32_t delta;
} slot_source;

/* rank(target) >= the least of rank(source) + delta, over its sources. */
typedef struct constraint {
  uint32_t target;
  uint32_t first;
  uint32_t count;
  clause_id clause; /* CLAUSE_NONE: a link between places */
  uint32_t argument;
} constraint;

#define CLAUSE_NONE UINT32_MAX

/* A variable in a literal. */
typedef struct occurrence {
  uint32_t variable;
  uint32_t slot;
  int32_t depth;
  uint32_t argument;
} occurrence;

typedef VEC(occurrence) occurrence_vec;

typedef struct ranking {
  const program *p;
  arena *scratch;
  VEC(slot) slots;
  id_table slot_index;
  VEC(constraint) constraints;
  VEC(slot_source) sources;
  occurrence_vec head; /* of the clause at hand */
  occurrence_vec body;
  bool *has_open_head; /* by relation: a head has a variable for a whole fluent or move */
  uint32_t *rank;      /* by slot */
  uint64_t steps_left;
} ranking;

/* ---- slots ---- */

static uint64_t slot_hash(const slot *s) {
  return hash_ids(
      (const uint32_t[]){s->relation, s->argument, s->functor, s->functor_arity, s->part}, 5);
}

static uint64_t hash_of_slot(const void *context, uint32_t id) {
  return slot_hash(&((const ranking *)context)->slots.items[id]);
}

static bool is_same_slot(const slot *a, const slot *b) {
  return a->relation == b->relation && a->argument == b->argument && a->functor == b->functor &&
         a->functor_arity == b->functor_arity && a->part == b->part;
}

static uint32_t slot_id(ranking *k, slot s) {
  id_table_reserve(&k->slot_index, k->scratch, hash_of_slot, k);
  uint32_t at = id_table_first(&k->slot_index, slot_hash(&s));
  for (;; at = id_table_next(&k->slot_index, at)) {
    const uint32_t id = k->slot_index.slots[at];
    if (id == ID_NONE) break;
    if (is_same_slot(&k->slots.items[id], &s)) return id;
  }
  vec_push(k->scratch, &k->slots, s);
  id_table_put(&k->slot_index, at, k->slots.count - 1);
  return k->slots.count - 1;
}

static slot whole(relation_id r, uint32_t argument) {
  return (slot){.relation = r, .argument = argument, .functor = SYM_NONE};
}

/* The argument of a keyword that holds a fluent or a move. */
static bool holds_state(relation_id r, uint32_t argument) {
  switch (r) {
    case SYM_TRUE:
    case SYM_NEXT:
    case SYM_INIT:
    case SYM_BASE: return argument == 0;
    case SYM_DOES:
    case SYM_LEGAL:
    case SYM_INPUT: return argument == 1;
    default: return false;
  }
}

/* ---- occurrences ---- */

typedef struct walk {
  ranking *k;
  occurrence_vec *out;
  uint32_t slot;
  uint32_t argument;
} walk;

static void note_variables(walk *w, term_id t, int32_t depth) {
  const term_table *terms = w->k->p->terms;
  const term *it = term_get(terms, t);
  if (it->is_ground || w->k->steps_left == 0) return;
  w->k->steps_left--;
  if (it->is_variable) {
    const occurrence o = {it->name, w->slot, depth, w->argument};
    vec_push(w->k->scratch, w->out, o);
    return;
  }
  for (uint32_t i = 0; i < it->arg_count; i++) note_variables(w, term_arg(terms, t, i), depth + 1);
}

static void note_parts(walk *w, relation_id r, term_id t) {
  const term *it = term_get(w->k->p->terms, t);
  for (uint32_t i = 0; i < it->arg_count; i++) {
    w->slot = slot_id(w->k, (slot){r, w->argument, it->name, it->arg_count, i});
    note_variables(w, term_arg(w->k->p->terms, t, i), 0);
  }
}

static void note_atom(ranking *k, term_id atom, occurrence_vec *out) {
  const relation_id r = atom_relation(k->p, atom);
  walk w = {.k = k, .out = out};
  for (uint32_t i = 0; i < term_get(k->p->terms, atom)->arg_count; i++) {
    const term_id t = term_arg(k->p->terms, atom, i);
    w.argument = i;
    if (holds_state(r, i) && !term_is_variable(k->p->terms, t)) {
      note_parts(&w, r, t);
      continue;
    }
    w.slot = slot_id(k, whole(r, i));
    note_variables(&w, t, 0);
  }
}

static int compare_occurrences(const void *left, const void *right) {
  const occurrence *a = left, *b = right;
  if (a->variable != b->variable) return a->variable < b->variable ? -1 : 1;
  if (a->slot != b->slot) return a->slot < b->slot ? -1 : 1;
  return (a->depth < b->depth) - (a->depth > b->depth);
}

/* Of a variable that stands several times in one slot only the deepest place matters: in a head it
   asks for the highest rank, in a body it gives the lowest. */
static void keep_deepest(occurrence_vec *all) {
  uint32_t kept = 0;
  if (all->count) qsort(all->items, all->count, sizeof *all->items, compare_occurrences);
  for (uint32_t i = 0; i < all->count; i++) {
    const occurrence *o = &all->items[i], *last = kept ? &all->items[kept - 1] : NULL;
    if (last && last->variable == o->variable && last->slot == o->slot) continue;
    all->items[kept++] = *o;
  }
  all->count = kept;
}

/* ---- constraints ---- */

static void add_link(ranking *k, uint32_t target, uint32_t from, int32_t delta) {
  const constraint c = {
      .target = target, .first = k->sources.count, .count = 1, .clause = CLAUSE_NONE};
  const slot_source s = {from, delta};
  vec_push(k->scratch, &k->sources, s);
  vec_push(k->scratch, &k->constraints, c);
}

static void add_constraint(ranking *k, const occurrence *head, clause_id id) {
  constraint c = {
      .target = head->slot, .first = k->sources.count, .clause = id, .argument = head->argument};
  for (uint32_t i = 0; i < k->body.count; i++) {
    const occurrence *o = &k->body.items[i];
    if (o->variable != head->variable) continue;
    const slot_source s = {o->slot, head->depth - o->depth};
    vec_push(k->scratch, &k->sources, s);
    c.count++;
  }
  if (c.count) vec_push(k->scratch, &k->constraints, c); /* none: the variable is unsafe */
}

static void note_open_head(ranking *k, term_id head) {
  const relation_id r = atom_relation(k->p, head);
  for (uint32_t i = 0; i < term_get(k->p->terms, head)->arg_count; i++)
    if (holds_state(r, i) && term_is_variable(k->p->terms, term_arg(k->p->terms, head, i)))
      k->has_open_head[r] = true;
}

static void read_clause(ranking *k, clause_id id) {
  const clause *c = &k->p->clauses.items[id];
  k->head.count = k->body.count = 0;
  note_atom(k, c->head, &k->head);
  note_open_head(k, c->head);
  for (uint32_t i = 0; i < c->body_count; i++) {
    const literal *l = &k->p->literals.items[c->body + i];
    if (l->kind == LITERAL_POSITIVE) note_atom(k, l->atom, &k->body);
  }
  keep_deepest(&k->head);
  keep_deepest(&k->body);
  const uint64_t cost = (uint64_t)k->head.count * k->body.count;
  k->steps_left -= cost < k->steps_left ? cost : k->steps_left;
  for (uint32_t i = 0; i < k->head.count && k->steps_left; i++)
    add_constraint(k, &k->head.items[i], id);
}

/* ---- places that hold the same terms ---- */

/* A whole fluent is one deeper than its parts; a head (next ?f) may be any fluent. */
static void link_parts(ranking *k) {
  const uint32_t count = k->slots.count;
  for (uint32_t i = 0; i < count; i++) {
    const slot s = k->slots.items[i];
    if (s.functor == SYM_NONE) continue;
    const uint32_t all = slot_id(k, whole(s.relation, s.argument));
    add_link(k, all, i, 1);
    if (k->has_open_head[s.relation]) add_link(k, i, all, -1);
  }
}

/* Every place of `from` is one of `to`. */
static void link_relations(ranking *k, relation_id to, relation_id from) {
  for (uint32_t i = 0; i < k->slots.count; i++) { /* grows, but not for `from` */
    slot s = k->slots.items[i];
    if (s.relation != from) continue;
    s.relation = to;
    const uint32_t target = slot_id(k, s);
    add_link(k, target, i, 0);
  }
  if (k->has_open_head[from]) k->has_open_head[to] = true;
}

/* Definition 2. */
static void link_states(ranking *k) {
  link_relations(k, SYM_TRUE, SYM_INIT);
  link_relations(k, SYM_TRUE, SYM_NEXT);
  link_relations(k, SYM_DOES, SYM_LEGAL);
}

/* ---- the least ranks ---- */

/* Ranks that exist need not be larger than what all slots can add once. */
static uint32_t largest_rank(const ranking *k) {
  uint32_t *growth = arena_zero_array(k->scratch, uint32_t, k->slots.count + 1);
  for (uint32_t i = 0; i < k->constraints.count; i++) {
    const constraint *c = &k->constraints.items[i];
    for (uint32_t s = c->first; s < c->first + c->count; s++) {
      const int32_t delta = k->sources.items[s].delta;
      if (delta > 0 && (uint32_t)delta > growth[c->target]) growth[c->target] = (uint32_t)delta;
    }
  }
  uint64_t total = 0;
  for (uint32_t i = 0; i < k->slots.count; i++) total += growth[i];
  return total < RANK_ENDLESS - 1 ? (uint32_t)total : RANK_ENDLESS - 1;
}

static uint32_t rank_through(const ranking *k, const slot_source *s) {
  const uint32_t rank = k->rank[s->slot];
  if (rank == RANK_ENDLESS) return RANK_ENDLESS;
  const int64_t sum = (int64_t)rank + s->delta;
  return sum < 0 ? 0 : sum >= RANK_ENDLESS ? RANK_ENDLESS : (uint32_t)sum;
}

static uint32_t least_rank(const ranking *k, const constraint *c) {
  uint32_t least = RANK_ENDLESS;
  for (uint32_t i = c->first; i < c->first + c->count; i++) {
    const uint32_t rank = rank_through(k, &k->sources.items[i]);
    if (rank < least) least = rank;
  }
  return least;
}

/* Edges lead from a slot to the constraints that read it. */
static labelled_graph readers(const ranking *k) {
  labelled_graph g = labelled_new(k->slots.count, k->scratch);
  for (uint32_t i = 0; i < k->constraints.count; i++) {
    const constraint *c = &k->constraints.items[i];
    for (uint32_t s = c->first; s < c->first + c->count; s++)
      labelled_add(&g, k->sources.items[s].slot, k->constraints.items[i].target, i);
  }
  labelled_finish(&g);
  return g;
}

typedef struct worklist {
  id_vec slots;
  bool *is_in;
} worklist;

static void enlist(ranking *k, worklist *w, uint32_t slot_number) {
  if (w->is_in[slot_number]) return;
  w->is_in[slot_number] = true;
  vec_push(k->scratch, &w->slots, slot_number);
}

static void raise_target(ranking *k, worklist *w, const constraint *c, uint32_t most) {
  uint32_t rank = least_rank(k, c);
  if (rank > most || k->steps_left == 0) rank = RANK_ENDLESS;
  if (k->steps_left) k->steps_left--;
  if (rank <= k->rank[c->target]) return;
  k->rank[c->target] = rank;
  enlist(k, w, c->target);
}

static void find_ranks(ranking *k, const labelled_graph *g) {
  const uint32_t most = largest_rank(k);
  worklist w = {.is_in = arena_zero_array(k->scratch, bool, k->slots.count + 1)};
  k->rank = arena_zero_array(k->scratch, uint32_t, k->slots.count + 1);
  for (uint32_t i = 0; i < k->constraints.count; i++)
    raise_target(k, &w, &k->constraints.items[i], most);
  while (w.slots.count) {
    const uint32_t s = vec_pop(&w.slots);
    w.is_in[s] = false;
    for (uint32_t e = g->edges_of[s]; e < g->edges_of[s + 1]; e++)
      raise_target(k, &w, &k->constraints.items[g->edges.items[e].label], most);
  }
}

/* ---- who is to blame ---- */

static bool is_part(const ranking *k, uint32_t s) { return k->slots.items[s].functor != SYM_NONE; }

/* Where fluents or moves are read as wholes, one that is put into another grows, though it is no
   deeper in its place than it was. */
static int32_t growth(const ranking *k, const constraint *c, const slot_source *s,
                      bool counts_wholes) {
  if (!counts_wholes) return s->delta;
  return s->delta + is_part(k, c->target) - is_part(k, s->slot);
}

/* A head that makes a term deeper than the one it is made from, on a cycle of endless slots. */
static bool grows_in_cycle(const ranking *k, const constraint *c, const uint32_t *component,
                           bool counts_wholes) {
  if (c->clause == CLAUSE_NONE || k->rank[c->target] != RANK_ENDLESS) return false;
  for (uint32_t i = c->first; i < c->first + c->count; i++) {
    const slot_source *s = &k->sources.items[i];
    if (k->rank[s->slot] != RANK_ENDLESS) return false;
    if (component[s->slot] != component[c->target]) continue;
    if (growth(k, c, s, counts_wholes) > 0) return true;
  }
  return false;
}

static bool blame(const ranking *k, const uint32_t *component, bool counts_wholes, term_growth *r) {
  for (uint32_t i = 0; i < k->constraints.count; i++) {
    const constraint *c = &k->constraints.items[i];
    if (!grows_in_cycle(k, c, component, counts_wholes)) continue;
    r->clause = c->clause;
    r->argument = c->argument;
    return true;
  }
  return false;
}

static void find_blame(const ranking *k, const labelled_graph *g, term_growth *r) {
  const uint32_t *component = labelled_components(g, k->scratch);
  if (!blame(k, component, false, r)) blame(k, component, true, r);
}

static void find_endless(const ranking *k, term_growth *r) {
  for (uint32_t i = 0; i < k->slots.count; i++) {
    if (k->rank[i] != RANK_ENDLESS) continue;
    r->finite = false;
    r->is_endless[k->slots.items[i].relation] = true;
  }
}

term_growth term_growth_find(const program *p, bool across_states, arena *keep) {
  ranking k = {.p = p, .scratch = arena_new(), .steps_left = 100u * 1000 * 1000};
  k.has_open_head = arena_zero_array(k.scratch, bool, p->relations.count);
  for (clause_id c = 0; c < p->clauses.count; c++) read_clause(&k, c);
  if (across_states) link_states(&k);
  link_parts(&k);
  const labelled_graph g = readers(&k);
  find_ranks(&k, &g);
  term_growth r = {.finite = true,
                   .clause = CLAUSE_NONE,
                   .is_endless = arena_zero_array(keep, bool, p->relations.count)};
  find_endless(&k, &r);
  if (!r.finite) find_blame(&k, &g, &r);
  arena_free(k.scratch);
  return r;
}
