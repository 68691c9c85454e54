#include "rules/analysis.h"

#include "base/graph.h"
#include "base/sort.h"

/* ---- edges ---- */

typedef struct edge_list {
  VEC(dependency) all;
  VEC(uint64_t) keys; /* body, sign, and the place in `all` */
} edge_list;

static void list_edges(const program *p, relation_id head, edge_list *list, arena *scratch) {
  const relation *r = &p->relations.items[head];
  list->all.count = list->keys.count = 0;
  for (uint32_t k = r->first_clause; k < r->first_clause + r->clause_count; k++) {
    const clause_id c = p->clauses_of_relation.items[k];
    const clause *it = &p->clauses.items[c];
    for (uint32_t i = it->body; i < it->body + it->body_count; i++) {
      const literal *l = &p->literals.items[i];
      if (l->kind == LITERAL_DISTINCT) continue;
      const dependency e = {.head = head,
                            .body = atom_relation(p, l->atom),
                            .negative = l->kind == LITERAL_NEGATIVE,
                            .clause = c,
                            .literal = i};
      const uint64_t key = (uint64_t)e.body << 33 | (uint64_t)e.negative << 32 | list->all.count;
      vec_push(scratch, &list->all, e);
      vec_push(scratch, &list->keys, key);
    }
  }
}

/* Among edges with the same body and sign the first one counts. */
static void collect_edges(analysis *a, arena *keep, arena *scratch) {
  const uint32_t relations = a->program->relations.count;
  a->edges_of = arena_zero_array(keep, uint32_t, relations + 1);
  edge_list list = {0};
  for (relation_id r = 0; r < relations; r++) {
    list_edges(a->program, r, &list, scratch);
    sort_keys(list.keys.items, list.keys.count);
    for (uint32_t i = 0; i < list.keys.count; i++) {
      const uint64_t key = list.keys.items[i];
      if (i && key >> 32 == list.keys.items[i - 1] >> 32) continue;
      vec_push(keep, &a->edges, list.all.items[(uint32_t)key]);
    }
    a->edges_of[r + 1] = a->edges.count;
  }
}

/* ---- strongly connected components ---- */

static graph edge_graph(const analysis *a, arena *scratch) {
  uint32_t *to = arena_new_array(scratch, uint32_t, a->edges.count);
  for (uint32_t i = 0; i < a->edges.count; i++) to[i] = a->edges.items[i].body;
  return (graph){a->program->relations.count, a->edges_of, to};
}

static void find_recursion(analysis *a, arena *keep) {
  a->is_recursive = arena_zero_array(keep, bool, a->program->relations.count);
  a->stratified = true;
  for (uint32_t i = 0; i < a->edges.count; i++) {
    const dependency *e = &a->edges.items[i];
    if (a->component[e->head] != a->component[e->body]) continue;
    a->is_recursive[e->head] = a->is_recursive[e->body] = true;
    if (e->negative) a->stratified = false;
  }
}

/* ---- strata and dependence: parts are taken in evaluation order ---- */

static void raise_strata(const analysis *a, relation_id r, uint32_t *stratum_of_part) {
  for (uint32_t i = a->edges_of[r]; i < a->edges_of[r + 1]; i++) {
    const dependency *e = &a->edges.items[i];
    const bool is_inside = a->component[e->body] == a->component[r];
    const uint32_t least = stratum_of_part[a->component[e->body]] + (e->negative && !is_inside);
    if (least > stratum_of_part[a->component[r]]) stratum_of_part[a->component[r]] = least;
  }
}

static void find_strata(analysis *a, arena *keep, arena *scratch) {
  const uint32_t relations = a->program->relations.count;
  uint32_t *of_part = arena_zero_array(scratch, uint32_t, a->component_count);
  for (uint32_t i = 0; i < relations; i++) raise_strata(a, a->order[i], of_part);
  a->stratum = arena_new_array(keep, uint32_t, relations);
  for (relation_id r = 0; r < relations; r++) {
    a->stratum[r] = of_part[a->component[r]];
    if (a->stratum[r] >= a->stratum_count) a->stratum_count = a->stratum[r] + 1;
  }
}

/* Marks all that depends on a marked relation. */
static void spread(const analysis *a, bool *marked, arena *scratch) {
  const uint32_t relations = a->program->relations.count;
  bool *part_marked = arena_zero_array(scratch, bool, a->component_count);
  for (uint32_t i = 0; i < relations; i++) {
    const relation_id r = a->order[i];
    part_marked[a->component[r]] |= marked[r];
    for (uint32_t e = a->edges_of[r]; e < a->edges_of[r + 1]; e++)
      part_marked[a->component[r]] |= part_marked[a->component[a->edges.items[e].body]];
  }
  for (relation_id r = 0; r < relations; r++) marked[r] = part_marked[a->component[r]];
}

static void find_dynamic(analysis *a, arena *keep, arena *scratch) {
  const uint32_t relations = a->program->relations.count;
  a->is_dynamic = arena_zero_array(keep, bool, relations);
  a->depends_on_does = arena_zero_array(keep, bool, relations);
  a->is_dynamic[SYM_TRUE] = a->is_dynamic[SYM_DOES] = a->depends_on_does[SYM_DOES] = true;
  spread(a, a->is_dynamic, scratch);
  spread(a, a->depends_on_does, scratch);
}

static void find_open(analysis *a, arena *keep, arena *scratch) {
  a->is_open = arena_zero_array(keep, bool, a->program->relations.count);
  a->is_open[SYM_TRUE] = a->is_open[SYM_DOES] = true;
  for (uint32_t i = 0; i < a->edges.count; i++) {
    const dependency *e = &a->edges.items[i];
    if (e->negative && a->component[e->head] == a->component[e->body]) a->is_open[e->head] = true;
  }
  spread(a, a->is_open, scratch);
}

/* ---- lifetimes (forward-chaining-compiler, Algorithm 1) ---- */

/* next(f) <= true(f) with f = name(V1, ..., Vn), all different, and nothing else: whatever was
   true under that name stays so. */
static bool keeps_every_fluent(const program *p, const clause *c) {
  if (c->body_count != 1) return false;
  const literal *l = &p->literals.items[c->body];
  const term_table *t = p->terms;
  if (l->kind != LITERAL_POSITIVE || atom_relation(p, l->atom) != SYM_TRUE) return false;
  const term_id fluent = term_arg(t, c->head, 0);
  if (term_arg(t, l->atom, 0) != fluent || term_is_variable(t, fluent)) return false;
  for (uint32_t i = 0; i < term_get(t, fluent)->arg_count; i++) {
    if (!term_is_variable(t, term_arg(t, fluent, i))) return false;
    for (uint32_t k = 0; k < i; k++)
      if (term_arg(t, fluent, i) == term_arg(t, fluent, k)) return false;
  }
  return true;
}

/* By name: a bit for each number of arguments with which fluents of that name stay for ever. */
static uint64_t *find_kept(const program *p, arena *scratch) {
  uint64_t *kept = arena_zero_array(scratch, uint64_t, symbol_count(p->symbols));
  const relation *next = &p->relations.items[SYM_NEXT];
  for (uint32_t i = 0; i < next->clause_count; i++) {
    const clause *c = &p->clauses.items[p->clauses_of_relation.items[next->first_clause + i]];
    const term *fluent = term_get(p->terms, term_arg(p->terms, c->head, 0));
    if (fluent->arg_count < 64 && keeps_every_fluent(p, c))
      kept[fluent->name] |= UINT64_C(1) << fluent->arg_count;
  }
  return kept;
}

static bool fluent_is_kept(const program *p, const uint64_t *kept, term_id fluent) {
  const term *it = term_get(p->terms, fluent);
  return !it->is_variable && it->arg_count < 64 && kept[it->name] >> it->arg_count & 1;
}

static bool literal_persists(const analysis *a, const uint64_t *kept, const literal *l) {
  if (l->kind == LITERAL_DISTINCT) return true;
  const program *p = a->program;
  const relation_id r = atom_relation(p, l->atom);
  if (a->lifetimes[r] == LIFETIME_PERMANENT) return true;
  if (l->kind == LITERAL_NEGATIVE) return false;
  if (r == SYM_TRUE) return fluent_is_kept(p, kept, term_arg(p->terms, l->atom, 0));
  return a->lifetimes[r] == LIFETIME_PERSISTENT;
}

static bool clauses_persist(const analysis *a, const uint64_t *kept, const relation *r) {
  const program *p = a->program;
  for (uint32_t i = 0; i < r->clause_count; i++) {
    const clause *c = &p->clauses.items[p->clauses_of_relation.items[r->first_clause + i]];
    for (uint32_t l = 0; l < c->body_count; l++)
      if (!literal_persists(a, kept, &p->literals.items[c->body + l])) return false;
  }
  return true;
}

/* The relations order[from .. end-1] depend on each other, so that all of them persist or none. */
static void decide_lifetime(analysis *a, const uint64_t *kept, uint32_t from, uint32_t end) {
  bool persists = true;
  for (uint32_t i = from; i < end && persists; i++)
    persists = a->lifetimes[a->order[i]] != LIFETIME_PERSISTENT ||
               clauses_persist(a, kept, &a->program->relations.items[a->order[i]]);
  for (uint32_t i = from; i < end && !persists; i++) a->lifetimes[a->order[i]] = LIFETIME_EPHEMERAL;
}

/* Everything dynamic is taken to persist until a clause speaks against it. */
static void find_lifetimes(analysis *a, arena *keep, arena *scratch) {
  const uint32_t relations = a->program->relations.count;
  const uint64_t *kept = find_kept(a->program, scratch);
  a->lifetimes = arena_new_array(keep, lifetime, relations);
  for (relation_id r = 0; r < relations; r++)
    a->lifetimes[r] = a->is_dynamic[r] ? LIFETIME_PERSISTENT : LIFETIME_PERMANENT;
  a->lifetimes[SYM_TRUE] = a->lifetimes[SYM_DOES] = a->lifetimes[SYM_NEXT] = LIFETIME_EPHEMERAL;
  for (uint32_t from = 0, end = 0; from < relations; from = end) {
    while (end < relations && a->component[a->order[end]] == a->component[a->order[from]]) end++;
    decide_lifetime(a, kept, from, end);
  }
}

void rules_analyse(analysis *a, const program *p, arena *keep) {
  *a = (analysis){.program = p};
  arena *scratch = arena_new();
  collect_edges(a, keep, scratch);
  const graph g = edge_graph(a, scratch);
  a->component = arena_new_array(keep, uint32_t, p->relations.count);
  a->component_count = graph_components(&g, a->component, scratch);
  find_recursion(a, keep);
  a->order = graph_order(&g, a->component, a->component_count, keep);
  find_strata(a, keep, scratch);
  find_dynamic(a, keep, scratch);
  find_open(a, keep, scratch);
  find_lifetimes(a, keep, scratch);
  arena_free(scratch);
}
