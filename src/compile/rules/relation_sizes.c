#include "compile/rules/relation_sizes.h"

#include "base/rng.h"
#include "compile/rules/keyword_columns.h"
#include "datalog/engine.h"
#include "datalog/flat_roles.h"

#include <math.h>

/* Rows, not seconds, say when it is enough: the same rules give the same C text on every machine,
   however busy it is. */
enum {
  SAMPLE_STEPS = 17,
  SAMPLE_ROWS = 1000000, /* looked at for all steps together */
  STATE_ROWS = 2000000,  /* looked at for one state: it takes too long */
  CLAUSE_ROWS = 200000,  /* looked at for one rule: the state's are counted then */
};

#define SAMPLE_SECONDS 5
#define SAMPLE_BYTES ((size_t)256 << 20)

/* The states that are kept: early, and then ever later ones. */
static bool is_kept_step(uint32_t step) {
  return step == 1 || step == 4 || step == 9 || step == 16;
}

typedef struct fact {
  flat_id relation;
  term_id *row;
} fact;

typedef VEC(fact) fact_vec;

typedef struct sampler {
  sizes *s;
  flat_program dynamic; /* the rules that depend on the state */
  budget limits;
  diag_sink unheard;
  rng random;
  uint32_t evaluated; /* how often */
  arena *scratch;     /* of states that are not kept */
} sampler;

static double effort_of(const engine *e) {
  double effort = 0;
  for (flat_clause_id c = 0; c < e->f->clauses.count; c++) effort += (double)e->effort[c];
  return effort;
}

static bool takes_too_long(void *context, engine *e, flat_clause_id c) {
  (void)context, (void)c;
  return effort_of(e) > STATE_ROWS;
}

static relation_id keyword_of(const sampler *x, flat_id r) {
  return x->dynamic.relations.items[r].relation;
}

/* The same arguments under another keyword; false: there is no such relation. */
static bool moved_fact(const sampler *x, flat_id from, const term_id *row, relation_id keyword,
                       arena *keep, fact *result) {
  const flat_program *f = &x->dynamic;
  for (flat_id to = 0; to < f->relations.count; to++) {
    column_map m;
    if (keyword_of(x, to) != keyword || !columns_map(f, from, to, &m, keep)) continue;
    const uint32_t arity = f->relations.items[to].arity;
    *result = (fact){to, arena_new_array(keep, term_id, arity + 1)};
    for (uint32_t i = 0; i < arity; i++)
      result->row[i] = m.from_column[i] == ID_NONE ? m.constants[i] : row[m.from_column[i]];
    return true;
  }
  return false;
}

/* All facts of one keyword, moved under another. */
static void collect(const sampler *x, table *tables, relation_id from, relation_id to, arena *keep,
                    fact_vec *facts) {
  for (flat_id r = 0; r < x->dynamic.relations.count; r++) {
    if (keyword_of(x, r) != from) continue;
    for (uint32_t i = 0; i < tables[r].count; i++) {
      fact moved;
      if (moved_fact(x, r, table_row(&tables[r], i), to, keep, &moved))
        vec_push(keep, facts, moved);
    }
  }
}

static void count_rows(sampler *x, const engine *e) {
  x->evaluated++;
  for (flat_id r = 0; r < x->dynamic.relations.count; r++) x->s->rows[r] += e->tables[r].count;
  for (flat_clause_id c = 0; c < x->dynamic.clauses.count; c++) x->s->cost += (double)e->effort[c];
}

static bool evaluate(sampler *x, engine *e, const fact_vec *state, const fact_vec *moves,
                     arena *keep) {
  const strata *rules = x->s->rules;
  const uint32_t relations = x->dynamic.relations.count;
  engine_init(e, &x->dynamic, NULL, keep);
  for (flat_id r = 0; r < relations; r++)
    if (rules->is_permanent[r]) e->tables[r] = rules->facts[r];
  for (uint32_t i = 0; i < state->count; i++)
    engine_add(e, state->items[i].relation, state->items[i].row);
  for (uint32_t i = 0; i < moves->count; i++)
    engine_add(e, moves->items[i].relation, moves->items[i].row);
  engine_set_doubt(e, takes_too_long, NULL, CLAUSE_ROWS);
  const bool ok = engine_run(e, &x->limits, &x->unheard);
  const bool is_first = !x->evaluated;
  if (ok || is_first) count_rows(x, e);
  if (!ok && is_first) x->s->cost = HUGE_VAL;
  for (flat_id r = 0; r < relations; r++) /* with the indexes that were made on the way */
    if (rules->is_permanent[r]) rules->facts[r] = e->tables[r];
  return ok;
}

static bool is_terminal(const sampler *x, const table *tables) {
  for (flat_id r = 0; r < x->dynamic.relations.count; r++)
    if (keyword_of(x, r) == SYM_TERMINAL && tables[r].count) return true;
  return false;
}

static bool is_move_of(const sampler *x, const fact *move, term_id role) {
  return flat_has_role(&x->dynamic, move->relation) && move->row[0] == role;
}

/* A random move for every role; false: some role has none, or the time is up. */
static bool choose_moves(sampler *x, table *tables, arena *keep, fact_vec *moves) {
  fact_vec all = {0};
  collect(x, tables, SYM_LEGAL, SYM_DOES, keep, &all);
  for (flat_id r = 0; r < x->dynamic.relations.count; r++) {
    if (keyword_of(x, r) != SYM_ROLE) continue;
    for (uint32_t i = 0; i < tables[r].count; i++) {
      fact_vec own = {0};
      for (uint32_t m = 0; m < all.count; m++)
        if (is_move_of(x, &all.items[m], table_row(&tables[r], i)[0]))
          vec_push(keep, &own, all.items[m]);
      if (own.count == 0 || budget_check_now(&x->limits)) return false;
      vec_push(keep, moves, own.items[rng_below(&x->random, own.count)]);
    }
  }
  return true;
}

/* One step; false: the game is over, or the time is. */
static bool play_step(sampler *x, uint32_t step, fact_vec *state) {
  arena *keep = x->s->keep;
  const fact_vec none = {0};
  engine e;
  arena_clear(x->scratch);
  if (!evaluate(x, &e, state, &none, x->scratch) || is_terminal(x, e.tables)) return false;
  fact_vec moves = {0};
  if (!choose_moves(x, e.tables, keep, &moves)) return false;
  if (!evaluate(x, &e, state, &moves, is_kept_step(step) ? keep : x->scratch)) return false;
  if (is_kept_step(step)) x->s->states[x->s->state_count++] = e.tables;
  fact_vec next = {0};
  collect(x, e.tables, SYM_NEXT, SYM_TRUE, keep, &next);
  *state = next;
  return true;
}

static void set_dynamic_rules(sampler *x, arena *keep) {
  const strata *rules = x->s->rules;
  x->dynamic = rules->flat;
  x->dynamic.clauses.items = arena_new_array(keep, flat_clause, rules->flat.clauses.count + 1);
  x->dynamic.clauses.count = 0;
  for (flat_clause_id c = 0; c < rules->flat.clauses.count; c++)
    if (!rules->is_permanent[rules->flat.clauses.items[c].head])
      x->dynamic.clauses.items[x->dynamic.clauses.count++] = rules->flat.clauses.items[c];
}

void sizes_measure(sizes *s, const strata *rules, arena *keep, budget *limits) {
  const uint32_t relations = rules->flat.relations.count;
  *s = (sizes){.rules = rules, .keep = keep, .rows = arena_zero_array(keep, double, relations + 1)};
  sampler x = {.s = s,
               .limits = budget_within(limits, SAMPLE_SECONDS, SAMPLE_BYTES),
               .random = rng_new(1, 0),
               .scratch = arena_new()};
  x.limits.max_bytes += arena_bytes(keep);
  budget_watch(&x.limits, keep);
  budget_watch(&x.limits, x.scratch);
  diag_sink_init(&x.unheard, keep);
  set_dynamic_rules(&x, keep);
  fact_vec state = {0};
  collect(&x, rules->facts, SYM_INIT, SYM_TRUE, keep, &state);
  for (uint32_t step = 0; step < SAMPLE_STEPS && s->cost < SAMPLE_ROWS; step++)
    if (!play_step(&x, step, &state)) break;
  arena_free(x.scratch);
  const double times = x.evaluated ? x.evaluated : 1;
  for (flat_id r = 0; r < relations; r++) s->rows[r] /= times;
  s->cost /= times;
}

/* Exact on average, by an index. */
static double matches_in(table *t, const uint32_t *columns, uint32_t column_count) {
  if (t->count && column_count) table_update_index(t, table_index_on(t, columns, column_count));
  return table_rows_per_key(t, columns, column_count);
}

double sizes_matches(const sizes *s, flat_id r, const uint32_t *columns, uint32_t column_count) {
  if (s->rules->is_permanent[r]) return matches_in(&s->rules->facts[r], columns, column_count);
  double sum = 0;
  for (uint32_t i = 0; i < s->state_count; i++)
    sum += matches_in(&s->states[i][r], columns, column_count);
  if (s->state_count) return sum / s->state_count;
  const uint32_t free_columns = s->rules->flat.relations.items[r].arity - column_count;
  double guess = 1;
  for (uint32_t i = 0; i < free_columns; i++) guess *= 4;
  return guess;
}
