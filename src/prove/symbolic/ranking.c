#include "prove/symbolic/ranking.h"

#include "base/graph.h"
#include "induct/local_wires.h"

enum { CONFLICTS_MAX = 5000, REST_CONFLICTS = 200 * 1000 };

/* ---- variables ---- */

void ranking_add_group(ranking *r, const fact *f) {
  const variable v = {r->values.count, f->count + (f->kind == FACT_AT_MOST_ONE), 1, true};
  vec_append(r->keep, &r->values, vec_from(&r->facts->members, f->first), f->count);
  if (f->kind == FACT_AT_MOST_ONE) vec_push(r->keep, &r->values, NO_VALUE);
  vec_push(r->keep, &r->variables, v);
}

static void add_latch(ranking *r, uint32_t latch) {
  const uint32_t fluent = r->c->latches.items[latch].fluent;
  const variable v = {r->values.count, 2, 1, false};
  vec_push(r->keep, &r->values, fluent << 1);
  vec_push(r->keep, &r->values, fluent << 1 | 1);
  vec_push(r->keep, &r->variables, v);
}

void ranking_add_all(ranking *r) {
  for (uint32_t i = 0; i < r->facts->all.count; i++) {
    const fact *f = &r->facts->all.items[i];
    const uint32_t values = f->count + (f->kind == FACT_AT_MOST_ONE);
    if (f->kind != FACT_AT_LEAST_ONE && values > 2 && values <= RANKED_VALUES_MAX)
      ranking_add_group(r, f);
  }
  for (uint32_t i = 0; i < r->c->latches.count; i++) add_latch(r, i);
}

void ranking_add_one_way(ranking *r, uint32_t latch, bool falls) {
  const uint32_t fluent = r->c->latches.items[latch].fluent;
  const bool fluent_falls = falls != wire_is_negated(r->c->fluents.items[fluent].now);
  uint32_t *ranks = arena_new_array(r->keep, uint32_t, 2); /* when it holds, when not */
  ranks[0] = fluent_falls;
  ranks[1] = !fluent_falls;
  add_latch(r, latch);
  vec_last(&r->variables).parts = 2;
  const ranked it = {r->variables.count - 1, ranks, 1, 0};
  vec_push(r->keep, &r->all, it);
}

/* ---- values as literals ---- */

static sat_literal member_literal(const ranking *r, unrolling *u, uint32_t member, uint32_t time) {
  return unroll_wire(u, r->c->fluents.items[member >> 1].now ^ (member & 1), time);
}

static sat_literal none_of(ranking *r, unrolling *u, const variable *v, uint32_t time) {
  VEC(sat_literal) all = {0};
  for (uint32_t i = 0; i + 1 < v->count; i++)
    vec_push(r->keep, &all, member_literal(r, u, r->values.items[v->first + i], time));
  return -unroll_any(u, all.items, all.count);
}

static sat_literal *value_literals(ranking *r, unrolling *u, const variable *v, uint32_t time) {
  sat_literal *literals = arena_new_array(r->keep, sat_literal, v->count);
  for (uint32_t i = 0; i < v->count; i++) {
    const uint32_t value = r->values.items[v->first + i];
    literals[i] = value == NO_VALUE ? none_of(r, u, v, time) : member_literal(r, u, value, time);
  }
  return literals;
}

/* ---- what is known of a step ---- */

/* What never holds is cheap to know, and a counter may have values that it never comes to. */
static void require_never_true(const ranking *r, unrolling *u, uint32_t time) {
  for (uint32_t i = 0; i < r->facts->all.count; i++)
    if (r->facts->all.items[i].count == 1)
      fact_require(r->facts, r->c, &r->facts->all.items[i], u, time, 0);
}

/* The facts, and that every move is legal. */
void ranking_require_step(const ranking *r, unrolling *u, uint32_t time) {
  if (r->only) {
    require_never_true(r, u, time);
    fact_require(r->facts, r->c, r->only, u, time, 0);
    require_open_if_near(u, r->c, time);
    return;
  }
  for (uint32_t i = 0; i < r->facts->all.count; i++)
    fact_require(r->facts, r->c, &r->facts->all.items[i], u, time, 0);
  unroll_require_step(u, time);
}

void ranking_require_same(ranking *r, unrolling *u, const ranked *of, uint32_t time,
                          sat_literal guard) {
  const variable *v = &r->variables.items[of->variable];
  const sat_literal *before = value_literals(r, u, v, time);
  const sat_literal *after = value_literals(r, u, v, time + 1);
  VEC(sat_literal) clause = {0};
  for (uint32_t i = 0; i < v->count; i++) {
    clause.count = 0;
    if (guard) vec_push(r->keep, &clause, -guard);
    vec_push(r->keep, &clause, -before[i]);
    for (uint32_t k = 0; k < v->count; k++)
      if (of->ranks[k] == of->ranks[i]) vec_push(r->keep, &clause, after[k]);
    sat_add(unroll_solver(u), clause.items, clause.count);
  }
}

sat_literal ranking_rise(ranking *r, unrolling *u, const ranked *of) {
  const variable *v = &r->variables.items[of->variable];
  const sat_literal *before = value_literals(r, u, v, 0), *after = value_literals(r, u, v, 1);
  const sat_literal rises = sat_variable(unroll_solver(u));
  VEC(sat_literal) clause = {0};
  for (uint32_t i = 0; i < v->count; i++) {
    clause.count = 0;
    vec_push(r->keep, &clause, -rises);
    vec_push(r->keep, &clause, -before[i]);
    for (uint32_t k = 0; k < v->count; k++)
      if (of->ranks[k] > of->ranks[i]) vec_push(r->keep, &clause, after[k]);
    sat_add(unroll_solver(u), clause.items, clause.count);
  }
  return rises;
}

void ranking_require_rest(ranking *r, unrolling *u, uint32_t time) {
  ranking_require_step(r, u, time);
  for (uint32_t i = 0; i < r->all.count; i++) ranking_require_same(r, u, &r->all.items[i], time, 0);
}

/* ---- which value follows which ---- */

typedef struct follow_graph {
  id_vec tails, heads;
} follow_graph;

/* Adds all that can follow value `from`; what is not known can follow. */
static void find_followers(ranking *r, const variable *v, const sat_literal *before,
                           const sat_literal *after, uint32_t from, follow_graph *g) {
  sat_solver *s = unroll_solver(r->u);
  const sat_literal is_new = sat_variable(s);
  sat_add_2(s, -is_new, -after[from]);
  for (;;) {
    const sat_answer answer =
        sat_solve(s, (const sat_literal[]){before[from], is_new}, 2, CONFLICTS_MAX);
    if (answer == SAT_NO) break;
    uint32_t to = ID_NONE;
    for (uint32_t i = 0; answer == SAT_YES && i < v->count && to == ID_NONE; i++)
      if (i != from && sat_value(s, after[i])) to = i;
    for (uint32_t i = 0; i < v->count; i++) {
      if (to != ID_NONE ? i != to : i == from) continue;
      vec_push(r->keep, &g->tails, from);
      vec_push(r->keep, &g->heads, i);
    }
    if (to == ID_NONE) break;
    sat_add_2(s, -is_new, -after[to]);
  }
  sat_add_1(s, -is_new);
}

/* The rank of a value is the length of the longest way from its component: so values that do not
   follow each other may share one.  Components are numbered so that edges lead to smaller
   numbers.  Returns the largest rank. */
static uint32_t rank_by_ways(const follow_graph *g, const uint32_t *components, uint32_t parts,
                             uint32_t *ranks, uint32_t count, arena *keep) {
  uint32_t *ways = arena_zero_array(keep, uint32_t, parts + (size_t)1);
  uint32_t longest = 0;
  for (uint32_t part = 0; part < parts; part++) {
    for (uint32_t i = 0; i < g->tails.count; i++) {
      const uint32_t next = components[g->heads.items[i]];
      if (components[g->tails.items[i]] == part && next != part && ways[next] >= ways[part])
        ways[part] = ways[next] + 1;
    }
    if (ways[part] > longest) longest = ways[part];
  }
  for (uint32_t i = 0; i < count; i++) ranks[i] = ways[components[i]];
  return longest;
}

/* Ranks the values of a variable; what is new is added. */
static void rank_values(ranking *r, uint32_t number, uint32_t level) {
  variable *v = &r->variables.items[number];
  if (v->parts == v->count) return;
  const sat_literal *before = value_literals(r, r->u, v, 0);
  const sat_literal *after = value_literals(r, r->u, v, 1);
  uint32_t *components = arena_new_array(r->keep, uint32_t, v->count);
  uint32_t *ranks = arena_new_array(r->keep, uint32_t, v->count);
  follow_graph g = {0};
  for (uint32_t i = 0; i < v->count && !budget_check_now(r->b); i++)
    find_followers(r, v, before, after, i, &g);
  if (budget_check_now(r->b)) return;
  const graph edges = graph_new(r->keep, v->count, g.tails.items, g.heads.items, g.tails.count);
  const uint32_t parts = graph_components(&edges, components, r->keep);
  if (parts <= v->parts) return;
  v->parts = parts;
  const uint32_t rank_max = rank_by_ways(&g, components, parts, ranks, v->count, r->keep);
  const ranked it = {number, ranks, rank_max, level};
  vec_push(r->keep, &r->all, it);
}

bool ranking_next_level(ranking *r, uint32_t level) {
  const uint32_t before = r->all.count;
  r->u = unroll_new(r->c, false, r->b);
  ranking_require_rest(r, r->u, 0);
  for (uint32_t i = 0; i < r->variables.count && !budget_check_now(r->b); i++)
    rank_values(r, i, level);
  unroll_free(r->u);
  return r->all.count > before;
}

/* ---- whether they prove it ---- */

bool ranking_can_rest(ranking *r, uint32_t steps) {
  unrolling *u = unroll_new(r->c, false, r->b);
  for (uint32_t time = 0; time < steps; time++) ranking_require_rest(r, u, time);
  const bool can =
      budget_check_now(r->b) ||
      sat_solve(unroll_solver(u), NULL, 0, r->only ? CONFLICTS_MAX : REST_CONFLICTS) != SAT_NO;
  unroll_free(u);
  return can;
}

/* ---- as sums ---- */

/* The number of the value that a variable has at the start. */
static uint32_t first_value(const ranking *r, const variable *v) {
  for (uint32_t k = 0; k < v->count; k++) {
    const uint32_t value = r->values.items[v->first + k];
    if (value == NO_VALUE) continue;
    if (wire_starts_true(r->c, r->c->fluents.items[value >> 1].now ^ (value & 1))) return k;
  }
  return v->count - 1; /* there 'none' is */
}

/* How often a rank can fall.  One of the first level never grows. */
static uint64_t range_of(const ranking *r, const ranked *of) {
  const bool is_first = of->level == r->all.items[0].level;
  return is_first ? of->ranks[first_value(r, &r->variables.items[of->variable])] : of->rank_max;
}

/* Of 'none' the rank is taken from that of all others. */
void ranking_write(const ranking *r, measure_list *out) {
  for (uint32_t i = 0; i < r->all.count; i++) {
    const ranked *of = &r->all.items[i];
    const variable *v = &r->variables.items[of->variable];
    int64_t none = 0;
    for (uint32_t k = 0; k < v->count; k++)
      if (r->values.items[v->first + k] == NO_VALUE) none = of->ranks[k];
    measure_begin(out, of->level, range_of(r, of));
    for (uint32_t k = 0; k < v->count; k++)
      if (r->values.items[v->first + k] != NO_VALUE)
        measure_add(out, r->values.items[v->first + k], (int64_t)of->ranks[k] - none);
  }
}
