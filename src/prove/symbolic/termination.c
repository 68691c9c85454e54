/* The method `termination`: measures (measure.h) that steps make smaller.

   A group of fluents of which exactly one holds is a variable with several values (one of which at
   most one holds has 'none' as well, and every fluent by itself has two).  Which value can follow
   which is asked of the circuit; the strongly connected parts of that graph, numbered so that steps
   lead to the same or a smaller number, give each value a rank that never grows.  When no step, or
   no k steps in a row, can leave all ranks as they are, every play ends.

   When they can, the same is asked again of those steps alone that leave all ranks as they are:
   that may give further ranks, of the next level.  When it gives none, weights of all fluents are
   tried (weights.h). */
#include "base/graph.h"
#include "induct/induct.h"
#include "induct/local_wires.h"
#include "prove/methods.h"
#include "prove/symbolic/weights.h"

enum { STEPS_MAX = 3, LEVELS_MAX = 4, VALUES_MAX = 2000 };
enum { CONFLICTS_MAX = 5000, REST_CONFLICTS = 200 * 1000 };

#define NO_VALUE ID_NONE /* stands for 'none of the others' */

typedef struct variable {
  uint32_t first, count; /* values, in ranking.values */
  uint32_t parts;        /* into how many ranks its values have been divided so far */
} variable;

/* A variable with ranks for its values. */
typedef struct ranked {
  uint32_t variable;
  const uint32_t *ranks; /* by value */
  uint32_t rank_max;
  uint32_t level;
} ranked;

typedef struct ranking {
  prove_job *j;
  const circuit *c;
  arena *keep;
  const fact_set *facts;
  budget *b;
  const fact *only; /* look at no other fact, and at what it depends on alone; or NULL */
  unrolling *u;     /* a step from any state with the facts that leaves all ranks as they are */
  id_vec values;    /* members, as in fact_set, or NO_VALUE */
  VEC(variable) variables;
  VEC(ranked) all; /* by level */
} ranking;

/* ---- variables ---- */

static void add_group(ranking *r, const fact *f) {
  const variable v = {r->values.count, f->count + (f->kind == FACT_AT_MOST_ONE), 1};
  vec_append(r->keep, &r->values, vec_from(&r->facts->members, f->first), f->count);
  if (f->kind == FACT_AT_MOST_ONE) vec_push(r->keep, &r->values, NO_VALUE);
  vec_push(r->keep, &r->variables, v);
}

static void add_latch(ranking *r, uint32_t latch) {
  const uint32_t fluent = r->c->latches.items[latch].fluent;
  const variable v = {r->values.count, 2, 1};
  vec_push(r->keep, &r->values, fluent << 1);
  vec_push(r->keep, &r->values, fluent << 1 | 1);
  vec_push(r->keep, &r->variables, v);
}

static void find_variables(ranking *r) {
  for (uint32_t i = 0; i < r->facts->all.count; i++) {
    const fact *f = &r->facts->all.items[i];
    const uint32_t values = f->count + (f->kind == FACT_AT_MOST_ONE);
    if (f->kind != FACT_AT_LEAST_ONE && values > 2 && values <= VALUES_MAX) add_group(r, f);
  }
  for (uint32_t i = 0; i < r->c->latches.count; i++) add_latch(r, i);
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

/* The facts, and that every move is legal. */
static void require_known(const ranking *r, unrolling *u, uint32_t time) {
  if (r->only) {
    fact_require(r->facts, r->c, r->only, u, time, 0);
    require_open_if_near(u, r->c, time);
    return;
  }
  for (uint32_t i = 0; i < r->facts->all.count; i++)
    fact_require(r->facts, r->c, &r->facts->all.items[i], u, time, 0);
  unroll_require_step(u, time);
}

/* The rank is the same before and after the step at `time`. */
static void require_same_rank(ranking *r, unrolling *u, const ranked *of, uint32_t time) {
  const variable *v = &r->variables.items[of->variable];
  const sat_literal *before = value_literals(r, u, v, time);
  const sat_literal *after = value_literals(r, u, v, time + 1);
  VEC(sat_literal) clause = {0};
  for (uint32_t i = 0; i < v->count; i++) {
    clause.count = 0;
    vec_push(r->keep, &clause, -before[i]);
    for (uint32_t k = 0; k < v->count; k++)
      if (of->ranks[k] == of->ranks[i]) vec_push(r->keep, &clause, after[k]);
    sat_add(unroll_solver(u), clause.items, clause.count);
  }
}

/* A step at `time` that leaves all ranks as they are. */
static void require_rest(ranking *r, unrolling *u, uint32_t time) {
  require_known(r, u, time);
  for (uint32_t i = 0; i < r->all.count; i++) require_same_rank(r, u, &r->all.items[i], time);
}

static void require_counting(void *context, unrolling *u, uint32_t time) {
  require_rest(context, u, time);
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

/* Ranks the values of a variable; what is new is added. */
static void rank_values(ranking *r, uint32_t number, uint32_t level) {
  variable *v = &r->variables.items[number];
  if (v->parts == v->count) return;
  const sat_literal *before = value_literals(r, r->u, v, 0);
  const sat_literal *after = value_literals(r, r->u, v, 1);
  uint32_t *ranks = arena_new_array(r->keep, uint32_t, v->count);
  follow_graph g = {0};
  for (uint32_t i = 0; i < v->count && !budget_check_now(r->b); i++)
    find_followers(r, v, before, after, i, &g);
  if (budget_check_now(r->b)) return;
  const graph edges = graph_new(r->keep, v->count, g.tails.items, g.heads.items, g.tails.count);
  const uint32_t parts = graph_components(&edges, ranks, r->keep);
  if (parts <= v->parts) return;
  v->parts = parts;
  const ranked it = {number, ranks, parts - 1, level};
  vec_push(r->keep, &r->all, it);
}

/* True: there are new ranks. */
static bool rank_level(ranking *r, uint32_t level) {
  const uint32_t before = r->all.count;
  r->u = unroll_new(r->c, false, r->b);
  require_rest(r, r->u, 0);
  for (uint32_t i = 0; i < r->variables.count && !budget_check_now(r->b); i++)
    rank_values(r, i, level);
  unroll_free(r->u);
  return r->all.count > before;
}

/* ---- the last question ---- */

/* Can `steps` steps leave all ranks as they are? */
static bool can_rest(ranking *r, uint32_t steps) {
  unrolling *u = unroll_new(r->c, false, r->b);
  for (uint32_t time = 0; time < steps; time++) require_rest(r, u, time);
  const bool can =
      budget_check_now(r->b) ||
      sat_solve(unroll_solver(u), NULL, 0, r->only ? CONFLICTS_MAX : REST_CONFLICTS) != SAT_NO;
  unroll_free(u);
  return can;
}

/* The ranks as sums: of 'none' the rank is taken from that of all others. */
static void write_ranks(const ranking *r, measure_list *out) {
  for (uint32_t i = 0; i < r->all.count; i++) {
    const ranked *of = &r->all.items[i];
    const variable *v = &r->variables.items[of->variable];
    int64_t none = 0;
    for (uint32_t k = 0; k < v->count; k++)
      if (r->values.items[v->first + k] == NO_VALUE) none = of->ranks[k];
    measure_begin(out, of->level, of->rank_max);
    for (uint32_t k = 0; k < v->count; k++)
      if (r->values.items[v->first + k] != NO_VALUE)
        measure_add(out, r->values.items[v->first + k], (int64_t)of->ranks[k] - none);
  }
}

static void settle(ranking *r, const measure_list *measures, uint32_t steps) {
  text words = text_new(r->j->keep);
  const uint64_t bound = measures_bound(measures);
  if (measures->all.count > 1)
    text_add_format(&words, "of %u measures one falls at least every ", measures->all.count);
  else
    text_add(&words, "a measure falls at least every ");
  text_add_format(&words, steps == 1 ? "step" : "%u steps", steps);
  if (bound < UINT32_MAX)
    text_add_format(&words, ": no play has more than %llu",
                    (unsigned long long)((bound + 1) * steps));
  const finding v = {.kind = VERDICT_PROVED,
                     .method = "termination",
                     .depth = steps,
                     .induction = steps,
                     .certificate = r->facts,
                     .measures = measures,
                     .reason = text_string(&words)};
  for (uint32_t i = 0; i < r->j->properties.count; i++)
    if (r->j->properties.items[i].kind == PROPERTY_TERMINATES) job_settle(r->j, i, v);
}

static measure_list *new_measures(const ranking *r) {
  measure_list *measures = arena_alloc_zero(r->j->keep, sizeof *measures);
  measures->keep = r->j->keep;
  write_ranks(r, measures);
  return measures;
}

/* Up to `most` steps are tried. */
static bool settle_by_ranks(ranking *r, uint32_t most) {
  for (uint32_t steps = 1; steps <= most && !budget_check_now(r->b); steps++) {
    if (can_rest(r, steps)) continue;
    settle(r, new_measures(r), steps);
    return true;
  }
  return false;
}

static void settle_by_weights(ranking *r) {
  for (uint32_t steps = 1; steps <= STEPS_MAX && !budget_check_now(r->b); steps++) {
    const weights_question q = {
        .c = r->c, .require = require_counting, .context = r, .steps = steps, .level = LEVELS_MAX};
    measure_list *measures = new_measures(r);
    if (!weights_find(measures, &q, r->b)) continue;
    settle(r, measures, steps);
    return;
  }
}

/* ---- step counters ---- */

/* Is the group a counter that every step moves on, whatever else there is? */
static void try_counter(prove_job *j, const fact_set *facts, const fact *f, budget *b) {
  ranking r = {.j = j, .c = &j->full, .keep = arena_new(), .b = b, .facts = facts, .only = f};
  add_group(&r, f);
  if (rank_level(&r, 0)) settle_by_ranks(&r, 1);
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
  find_variables(&r);
  bool is_done = false;
  for (uint32_t level = 0; level < LEVELS_MAX && !is_done && rank_level(&r, level); level++)
    is_done = settle_by_ranks(&r, STEPS_MAX);
  if (!is_done) settle_by_weights(&r);
  arena_free(r.keep);
  for (uint32_t i = 0; i < j->properties.count; i++)
    if (j->properties.items[i].kind == PROPERTY_TERMINATES)
      job_explain(j, i, "termination", "no measure of fluents was found that falls in every step");
}
