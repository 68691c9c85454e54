/* The method `termination`: a measure that every step makes smaller.

   A group of fluents of which exactly one holds is a variable with several values (one of which at
   most one holds has 'none' as well, and every fluent by itself has two).  Which value can follow
   which is asked of the circuit; the strongly connected parts of that graph, numbered so that steps
   lead to the same or a smaller number, give each value a rank that never grows.  When no step, or
   no k steps in a row, can leave all ranks as they are, every play ends: the sum of the ranks falls
   at least every k steps. */
#include "base/graph.h"
#include "induct/induct.h"
#include "prove/prove.h"

enum { STEPS_MAX = 3, VALUES_MAX = 2000, CONFLICTS_MAX = 5000 };

/* A variable: each value is a wire that holds when it has that value. */
typedef struct measure {
  uint32_t first, count; /* in ranking.values */
  uint32_t rank_max;     /* 0: it tells nothing */
} measure;

typedef struct ranking {
  prove_job *j;
  const circuit *c;
  arena *keep;
  const fact_set *facts;
  budget *b;
  const fact *only; /* look at no other fact, and at what it depends on alone; or NULL */
  unrolling *u;     /* a step from any state with the facts */
  VEC(wire) values;
  VEC(uint32_t) ranks; /* by value */
  VEC(measure) measures;
} ranking;

/* ---- variables ---- */

#define NO_VALUE ID_NONE /* stands for 'none of the others' */

static void add_group(ranking *r, const fact *f) {
  const measure m = {.first = r->values.count, .count = f->count + (f->kind == FACT_AT_MOST_ONE)};
  for (uint32_t i = 0; i < f->count; i++)
    vec_push(r->keep, &r->values, fact_wire(r->facts, r->c, f, i));
  if (f->kind == FACT_AT_MOST_ONE) vec_push(r->keep, &r->values, NO_VALUE);
  vec_push(r->keep, &r->measures, m);
}

static void add_latch(ranking *r, uint32_t latch) {
  const wire now = wire_of(r->c->latches.items[latch].gate, false);
  const measure m = {.first = r->values.count, .count = 2};
  vec_push(r->keep, &r->values, now);
  vec_push(r->keep, &r->values, wire_not(now));
  vec_push(r->keep, &r->measures, m);
}

static void find_measures(ranking *r) {
  for (uint32_t i = 0; i < r->facts->all.count; i++) {
    const fact *f = &r->facts->all.items[i];
    const uint32_t values = f->count + (f->kind == FACT_AT_MOST_ONE);
    if (f->kind != FACT_AT_LEAST_ONE && values > 2 && values <= VALUES_MAX) add_group(r, f);
  }
  for (uint32_t i = 0; i < r->c->latches.count; i++) add_latch(r, i);
}

/* ---- values as literals ---- */

static sat_literal none_of(ranking *r, unrolling *u, const measure *m, uint32_t time) {
  VEC(sat_literal) all = {0};
  for (uint32_t i = 0; i + 1 < m->count; i++)
    vec_push(r->keep, &all, unroll_wire(u, r->values.items[m->first + i], time));
  return -unroll_any(u, all.items, all.count);
}

static sat_literal *value_literals(ranking *r, unrolling *u, const measure *m, uint32_t time) {
  sat_literal *literals = arena_new_array(r->keep, sat_literal, m->count);
  for (uint32_t i = 0; i < m->count; i++) {
    const wire w = r->values.items[m->first + i];
    literals[i] = w == NO_VALUE ? none_of(r, u, m, time) : unroll_wire(u, w, time);
  }
  return literals;
}

/* What is known of a step: the facts, and that every move is legal. */
static void require_known(const ranking *r, unrolling *u, uint32_t time) {
  if (r->only) {
    fact_require(r->facts, r->c, r->only, u, time, 0);
    unroll_require_open(u, time);
    return;
  }
  for (uint32_t i = 0; i < r->facts->all.count; i++)
    fact_require(r->facts, r->c, &r->facts->all.items[i], u, time, 0);
  unroll_require_step(u, time);
}

/* ---- which value follows which ---- */

typedef struct follow_graph {
  id_vec tails, heads;
} follow_graph;

/* Adds all that can follow value `from`; what is not known can follow. */
static void find_followers(ranking *r, const measure *m, const sat_literal *before,
                           const sat_literal *after, uint32_t from, follow_graph *g) {
  sat_solver *s = unroll_solver(r->u);
  const sat_literal is_new = sat_variable(s);
  for (uint32_t i = 0; i < m->count; i++)
    if (i == from) sat_add_2(s, -is_new, -after[i]);
  for (;;) {
    const sat_answer answer =
        sat_solve(s, (const sat_literal[]){before[from], is_new}, 2, CONFLICTS_MAX);
    if (answer == SAT_NO) break;
    uint32_t to = ID_NONE;
    for (uint32_t i = 0; answer == SAT_YES && i < m->count && to == ID_NONE; i++)
      if (i != from && sat_value(s, after[i])) to = i;
    for (uint32_t i = 0; i < m->count; i++) {
      if (to != ID_NONE ? i != to : i == from) continue;
      vec_push(r->keep, &g->tails, from);
      vec_push(r->keep, &g->heads, i);
    }
    if (to == ID_NONE) break;
    sat_add_2(s, -is_new, -after[to]);
  }
  sat_add_1(s, -is_new);
}

static void rank_values(ranking *r, measure *m) {
  const sat_literal *before = value_literals(r, r->u, m, 0);
  const sat_literal *after = value_literals(r, r->u, m, 1);
  follow_graph g = {0};
  for (uint32_t i = 0; i < m->count && !budget_check_now(r->b); i++)
    find_followers(r, m, before, after, i, &g);
  const graph edges = graph_new(r->keep, m->count, g.tails.items, g.heads.items, g.tails.count);
  m->rank_max = graph_components(&edges, r->ranks.items + m->first, r->keep) - 1;
}

/* ---- the last question ---- */

/* All ranks of the measure are the same before and after the step at `time`. */
static void require_same_rank(ranking *r, unrolling *u, const measure *m, uint32_t time) {
  const sat_literal *before = value_literals(r, u, m, time);
  const sat_literal *after = value_literals(r, u, m, time + 1);
  const uint32_t *ranks = r->ranks.items + m->first;
  VEC(sat_literal) clause = {0};
  for (uint32_t i = 0; i < m->count; i++) {
    clause.count = 0;
    vec_push(r->keep, &clause, -before[i]);
    for (uint32_t k = 0; k < m->count; k++)
      if (ranks[k] == ranks[i]) vec_push(r->keep, &clause, after[k]);
    sat_add(unroll_solver(u), clause.items, clause.count);
  }
}

/* Can `steps` steps leave all ranks as they are? */
static bool can_rest(ranking *r, uint32_t steps) {
  unrolling *u = unroll_new(r->c, false, r->b);
  for (uint32_t time = 0; time < steps; time++) {
    require_known(r, u, time);
    for (uint32_t i = 0; i < r->measures.count; i++)
      if (r->measures.items[i].rank_max) require_same_rank(r, u, &r->measures.items[i], time);
  }
  const bool can = budget_check_now(r->b) ||
                   sat_solve(unroll_solver(u), NULL, 0, r->only ? CONFLICTS_MAX : 0) != SAT_NO;
  unroll_free(u);
  return can;
}

static void settle(ranking *r, uint32_t steps) {
  uint64_t bound = 0;
  uint32_t telling = 0;
  text words = text_new(r->j->keep);
  for (uint32_t i = 0; i < r->measures.count; i++) {
    bound += r->measures.items[i].rank_max;
    telling += r->measures.items[i].rank_max != 0;
  }
  text_add_format(&words,
                  "a measure over %u groups of fluents falls at least every %u steps: no play "
                  "has more than %llu",
                  telling, steps, (unsigned long long)((bound + 1) * steps));
  const finding v = {.kind = VERDICT_PROVED,
                     .method = "termination",
                     .depth = steps,
                     .reason = text_string(&words)};
  for (uint32_t i = 0; i < r->j->properties.count; i++)
    if (r->j->properties.items[i].kind == PROPERTY_TERMINATES) job_settle(r->j, i, v);
}

/* Ranks the measures and asks whether up to `most` steps can leave them as they are. */
static void search(ranking *r, uint32_t most) {
  vec_reserve(r->keep, &r->ranks, r->values.count);
  r->ranks.count = r->values.count;
  r->u = unroll_new(r->c, false, r->b);
  require_known(r, r->u, 0);
  for (uint32_t i = 0; i < r->measures.count && !budget_check_now(r->b); i++)
    rank_values(r, &r->measures.items[i]);
  unroll_free(r->u);
  for (uint32_t steps = 1; steps <= most && !budget_check_now(r->b); steps++) {
    if (can_rest(r, steps)) continue;
    settle(r, steps);
    return;
  }
}

/* ---- step counters ---- */

/* Is the group a counter that every step moves on, whatever else there is? */
static void try_counter(prove_job *j, const fact_set *facts, const fact *f, budget *b) {
  ranking r = {.j = j, .c = &j->full, .keep = arena_new(), .b = b, .facts = facts, .only = f};
  add_group(&r, f);
  search(&r, 1);
  arena_free(r.keep);
}

void termination_look(prove_job *j, const fact_set *facts, uint32_t first, budget *b) {
  for (uint32_t i = first; i < facts->all.count && job_has_open(j, PROPERTY_TERMINATES); i++) {
    const fact *f = &facts->all.items[i];
    if (f->kind == FACT_EXACTLY_ONE && f->count > 2 && f->count <= VALUES_MAX)
      try_counter(j, facts, f, b);
  }
}

/* ---- the method ---- */

void prove_termination(prove_job *j, budget *b) {
  if (!job_has_open(j, PROPERTY_TERMINATES)) return;
  budget half = budget_part(b, budget_seconds_left(b) / 2);
  ranking r = {.j = j, .c = &j->full, .keep = arena_new(), .b = b, .facts = job_facts(j, &half)};
  find_measures(&r);
  search(&r, STEPS_MAX);
  arena_free(r.keep);
  for (uint32_t i = 0; i < j->properties.count; i++)
    if (j->properties.items[i].kind == PROPERTY_TERMINATES)
      job_explain(j, i, "termination: no measure over groups of fluents falls in every step");
}
