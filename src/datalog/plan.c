#include "datalog/plan.h"

#include "base/bitset.h"
#include "datalog/plan_sound.h"

#include <assert.h>
#include <string.h>

typedef struct planner {
  plan *p;
  const flat_program *f;
  const flat_clause *clause;
  table *tables;
  const bool *is_open;
  arena *keep;
  bitset bound;      /* variables */
  uint32_t *waiting; /* body literals that are to be checked once their variables are bound */
  uint32_t waiting_count;
  bool is_head_bound;
} planner;

static const flat_literal *literal_at(const planner *b, uint32_t i) {
  return &b->f->literals.items[b->clause->body + i];
}

typedef struct bound_check {
  bitset bound;
  bool all;
} bound_check;

static void check_variable(void *context, uint32_t number) {
  bound_check *c = context;
  c->all &= bitset_has(c->bound, number);
}

static bool pattern_is_bound(const planner *b, term_id pattern) {
  bound_check c = {b->bound, true};
  term_each_variable(b->f->terms, pattern, check_variable, &c);
  return c.all;
}

static inline bool is_bound(const planner *b, term_id arg) {
  const term *it = term_get(b->f->terms, arg);
  if (it->is_ground) return true;
  return it->is_variable ? bitset_has(b->bound, it->name) : pattern_is_bound(b, arg);
}

static value value_of(const planner *b, term_id arg) {
  const term *it = term_get(b->f->terms, arg);
  if (it->is_ground) return (value){VALUE_TERM, arg};
  if (it->is_variable) return (value){VALUE_VARIABLE, it->name};
  return (value){VALUE_PATTERN, arg};
}

static value *values_of(const planner *b, uint32_t args, uint32_t count) {
  value *values = arena_new_array(b->keep, value, count);
  for (uint32_t i = 0; i < count; i++) values[i] = value_of(b, flat_args(b->f, args)[i]);
  return values;
}

value *plan_values(const flat_program *f, uint32_t args, uint32_t count, arena *keep) {
  const planner b = {.f = f, .keep = keep};
  return values_of(&b, args, count);
}

static uint32_t arg_count(const planner *b, const flat_literal *l) {
  return l->kind == LITERAL_DISTINCT ? 2 : b->f->relations.items[l->relation].arity;
}

/* ---- checks ---- */

static void collect_checks(planner *b) {
  b->waiting = arena_new_array(b->keep, uint32_t, b->clause->body_count);
  for (uint32_t i = 0; i < b->clause->body_count; i++) {
    const flat_literal *l = literal_at(b, i);
    const bool is_open = l->kind == LITERAL_NEGATIVE && b->is_open[l->relation];
    if (l->kind != LITERAL_POSITIVE && !is_open) b->waiting[b->waiting_count++] = i;
  }
}

static bool all_are_bound(const planner *b, uint32_t args, uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    if (!is_bound(b, flat_args(b->f, args)[i])) return false;
  return true;
}

/* The checks that have just become possible. */
static uint32_t place_checks(planner *b, check **checks) {
  uint32_t count = 0;
  uint32_t still_waiting = 0;
  *checks = NULL;
  for (uint32_t k = 0; k < b->waiting_count; k++) {
    const uint32_t i = b->waiting[k];
    const flat_literal *l = literal_at(b, i);
    if (!all_are_bound(b, l->args, arg_count(b, l))) {
      b->waiting[still_waiting++] = i;
      continue;
    }
    if (!*checks) *checks = arena_new_array(b->keep, check, b->waiting_count - k);
    (*checks)[count++] = (check){.kind = l->kind,
                                 .literal = i,
                                 .relation = l->relation,
                                 .values = values_of(b, l->args, arg_count(b, l))};
  }
  b->waiting_count = still_waiting;
  return count;
}

/* ---- steps ---- */

typedef struct fresh_variables {
  planner *b;
  id_vec list;
} fresh_variables;

static void note_fresh(void *context, uint32_t number) {
  fresh_variables *v = context;
  if (bitset_insert(v->b->bound, number)) vec_push(v->b->keep, &v->list, number);
}

static cell_action action_of(planner *b, uint32_t column, term_id arg) {
  const value with = value_of(b, arg);
  cell_action a = {.kind = CELL_EQUALS, .column = column, .with = with};
  if (is_bound(b, arg)) return a;
  if (with.kind == VALUE_VARIABLE) {
    bitset_add(b->bound, with.id);
    a.kind = CELL_BIND;
    return a;
  }
  fresh_variables v = {.b = b};
  term_each_variable(b->f->terms, arg, note_fresh, &v);
  a.kind = CELL_MATCH;
  a.fresh = v.list.items;
  a.fresh_count = v.list.count;
  return a;
}

/* What each cell of a row means; columns of the key are settled by it. */
static void add_actions(planner *b, step *s, uint32_t args, uint32_t arity, const uint32_t *key) {
  s->actions = arena_new_array(b->keep, cell_action, arity - s->key_count);
  uint32_t settled = 0;
  for (uint32_t i = 0; i < arity; i++) {
    if (settled < s->key_count && key[settled] == i)
      settled++;
    else
      s->actions[s->action_count++] = action_of(b, i, flat_args(b->f, args)[i]);
  }
}

static uint32_t *bound_columns(const planner *b, uint32_t args, uint32_t arity, uint32_t *count) {
  uint32_t *columns = arena_new_array(b->keep, uint32_t, arity);
  *count = 0;
  for (uint32_t i = 0; i < arity; i++)
    if (is_bound(b, flat_args(b->f, args)[i])) columns[(*count)++] = i;
  return columns;
}

/* Is the next step the one that binds the last variable of the head? */
static void note_head(planner *b) {
  const flat_clause *c = b->clause;
  if (b->is_head_bound || !all_are_bound(b, c->head_args, b->f->relations.items[c->head].arity))
    return;
  b->is_head_bound = true;
  b->p->last_head_step = b->p->step_count;
}

static void finish_step(planner *b, step *s, uint32_t args, uint32_t arity, const uint32_t *key) {
  add_actions(b, s, args, arity, key);
  s->check_count = place_checks(b, &s->checks);
  note_head(b);
  b->p->steps[b->p->step_count++] = *s;
}

static void add_given_step(planner *b, uint32_t given) {
  const bool is_head = given == PLAN_HEAD;
  const flat_id r = is_head ? b->clause->head : literal_at(b, given)->relation;
  const uint32_t args = is_head ? b->clause->head_args : literal_at(b, given)->args;
  step s = {.kind = STEP_GIVEN, .literal = given, .relation = r};
  finish_step(b, &s, args, b->f->relations.items[r].arity, NULL);
}

static void add_key(planner *b, step *s, uint32_t args, const uint32_t *columns, uint32_t count) {
  s->key = arena_new_array(b->keep, value, count);
  s->key_count = count;
  for (uint32_t i = 0; i < count; i++) s->key[i] = value_of(b, flat_args(b->f, args)[columns[i]]);
}

static void add_join_step(planner *b, uint32_t i) {
  const flat_literal *l = literal_at(b, i);
  const uint32_t arity = arg_count(b, l);
  uint32_t count;
  const uint32_t *columns = bound_columns(b, l->args, arity, &count);
  step s = {.literal = i, .relation = l->relation};
  s.kind = count == arity ? STEP_FIND : count ? STEP_LOOKUP : STEP_SCAN;
  if (count) add_key(b, &s, l->args, columns, count);
  if (s.kind == STEP_LOOKUP) s.index = table_index_on(&b->tables[l->relation], columns, count);
  finish_step(b, &s, l->args, arity, columns);
}

/* ---- everything ---- */

static uint32_t bit_length(uint32_t count) {
  return count ? 32 - (uint32_t)__builtin_clz(count) : 0;
}

uint32_t plan_magnitude(const flat_program *f, const table *tables, flat_clause_id c) {
  const flat_clause *it = &f->clauses.items[c];
  uint32_t bits = 0;
  for (uint32_t i = 0; i < it->body_count; i++) {
    const flat_literal *l = &f->literals.items[it->body + i];
    if (l->kind == LITERAL_POSITIVE) bits += bit_length(tables[l->relation].count);
  }
  return bits;
}

void plan_make(plan *p, const flat_program *f, table *tables, const bool *is_open, flat_clause_id c,
               uint32_t given, arena *keep) {
  const flat_clause *it = &f->clauses.items[c];
  planner b = {.p = p, .f = f, .clause = it, .tables = tables, .is_open = is_open, .keep = keep};
  b.bound = bitset_new(keep, it->variable_count);
  collect_checks(&b);
  *p = (plan){.clause = c, .given = given, .magnitude = plan_magnitude(f, tables, c)};
  p->check_count = place_checks(&b, &p->checks);
  const join_order order = join_order_find(f, tables, it, given, keep);
  p->steps = arena_new_array(keep, step, order.count + 1);
  for (uint32_t i = 0; i <= order.count; i++) {
    if (given != PLAN_NOTHING && i == order.before_given) add_given_step(&b, given);
    if (i < order.count) add_join_step(&b, order.literals[i]);
  }
  p->head = values_of(&b, it->head_args, f->relations.items[it->head].arity);
  assert(plan_is_sound(p, f, tables));
}
