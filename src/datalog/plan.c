#include "datalog/plan.h"

#include "base/bitset.h"

#include <assert.h>
#include <string.h>

typedef struct planner {
  plan *p;
  const flat_program *f;
  const flat_clause *clause;
  table *tables;
  const bool *is_open;
  arena *keep;
  arena *scratch;
  bitset bound; /* variables */
  bool *placed; /* by body literal */
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

static bool is_bound(const planner *b, term_id arg) {
  const term *it = term_get(b->f->terms, arg);
  if (it->is_ground) return true;
  if (it->is_variable) return bitset_has(b->bound, it->name);
  bound_check c = {b->bound, true};
  term_each_variable(b->f->terms, arg, check_variable, &c);
  return c.all;
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

static bool is_checkable(const planner *b, const flat_literal *l) {
  if (l->kind == LITERAL_POSITIVE) return false;
  if (l->kind == LITERAL_NEGATIVE && b->is_open[l->relation]) return false;
  for (uint32_t i = 0; i < arg_count(b, l); i++)
    if (!is_bound(b, flat_args(b->f, l->args)[i])) return false;
  return true;
}

/* The checks that have just become possible. */
static uint32_t place_checks(planner *b, check **checks) {
  uint32_t count = 0;
  *checks = NULL;
  for (uint32_t i = 0; i < b->clause->body_count; i++) {
    const flat_literal *l = literal_at(b, i);
    if (b->placed[i] || !is_checkable(b, l)) continue;
    b->placed[i] = true;
    if (!*checks) *checks = arena_new_array(b->keep, check, b->clause->body_count - i);
    (*checks)[count++] = (check){.kind = l->kind,
                                 .literal = i,
                                 .relation = l->relation,
                                 .values = values_of(b, l->args, arg_count(b, l))};
  }
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

/* What each cell of a row means; columns in `skip` are settled by the key. */
static void add_actions(planner *b, step *s, uint32_t args, uint32_t arity, bitset skip) {
  s->actions = arena_new_array(b->keep, cell_action, arity - s->key_count);
  for (uint32_t i = 0; i < arity; i++)
    if (!bitset_has(skip, i))
      s->actions[s->action_count++] = action_of(b, i, flat_args(b->f, args)[i]);
}

static bitset bound_columns(const planner *b, uint32_t args, uint32_t arity) {
  const bitset columns = bitset_new(b->scratch, arity);
  for (uint32_t i = 0; i < arity; i++)
    if (is_bound(b, flat_args(b->f, args)[i])) bitset_add(columns, i);
  return columns;
}

static uint32_t list_columns(const planner *b, bitset columns, uint32_t **list) {
  uint32_t count = 0;
  *list = arena_new_array(b->scratch, uint32_t, columns.size);
  for (uint32_t i = 0; i < columns.size; i++)
    if (bitset_has(columns, i)) (*list)[count++] = i;
  return count;
}

static void finish_step(planner *b, step *s, uint32_t args, uint32_t arity, bitset settled) {
  add_actions(b, s, args, arity, settled);
  s->check_count = place_checks(b, &s->checks);
  b->p->steps[b->p->step_count++] = *s;
}

static void add_given_step(planner *b, uint32_t given) {
  const bool is_head = given == PLAN_HEAD;
  const flat_id r = is_head ? b->clause->head : literal_at(b, given)->relation;
  const uint32_t args = is_head ? b->clause->head_args : literal_at(b, given)->args;
  step s = {.kind = STEP_GIVEN, .literal = given, .relation = r};
  if (!is_head) b->placed[given] = true;
  const uint32_t arity = b->f->relations.items[r].arity;
  finish_step(b, &s, args, arity, bitset_new(b->scratch, arity));
}

static void add_key(planner *b, step *s, uint32_t args, const uint32_t *columns, uint32_t count) {
  s->key = arena_new_array(b->keep, value, count);
  s->key_count = count;
  for (uint32_t i = 0; i < count; i++) s->key[i] = value_of(b, flat_args(b->f, args)[columns[i]]);
}

static void add_join_step(planner *b, uint32_t i) {
  const flat_literal *l = literal_at(b, i);
  const uint32_t arity = arg_count(b, l);
  const bitset bound = bound_columns(b, l->args, arity);
  uint32_t *columns;
  const uint32_t count = list_columns(b, bound, &columns);
  step s = {.literal = i, .relation = l->relation};
  s.kind = count == arity ? STEP_FIND : count ? STEP_LOOKUP : STEP_SCAN;
  if (count) add_key(b, &s, l->args, columns, count);
  if (s.kind == STEP_LOOKUP) s.index = table_index_on(&b->tables[l->relation], columns, count);
  b->placed[i] = true;
  finish_step(b, &s, l->args, arity, bound);
}

/* ---- everything ---- */

static bool head_is_bound(const planner *b) {
  const uint32_t arity = b->f->relations.items[b->clause->head].arity;
  for (uint32_t i = 0; i < arity; i++)
    if (!is_bound(b, flat_args(b->f, b->clause->head_args)[i])) return false;
  return true;
}

/* After a step: is it the one that binds the last variable of the head? */
static void note_head_step(planner *b, bool *is_head_bound) {
  if (*is_head_bound || !head_is_bound(b)) return;
  *is_head_bound = true;
  if (b->p->step_count) b->p->last_head_step = b->p->step_count - 1;
}

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
  planner b = {.p = p,
               .f = f,
               .clause = it,
               .tables = tables,
               .is_open = is_open,
               .keep = keep,
               .scratch = arena_new()};
  b.bound = bitset_new(b.scratch, it->variable_count);
  b.placed = arena_zero_array(b.scratch, bool, it->body_count);
  *p = (plan){.clause = c,
              .given = given,
              .magnitude = plan_magnitude(f, tables, c),
              .steps = arena_new_array(keep, step, it->body_count + 1)};
  p->check_count = place_checks(&b, &p->checks);
  const join_order order = join_order_find(f, tables, it, given, b.scratch);
  bool is_head_bound = false;
  for (uint32_t i = 0; i <= order.count; i++) {
    if (given != PLAN_NOTHING && i == order.before_given) add_given_step(&b, given);
    note_head_step(&b, &is_head_bound);
    if (i == order.count) break;
    add_join_step(&b, order.literals[i]);
    note_head_step(&b, &is_head_bound);
  }
  p->head = values_of(&b, it->head_args, f->relations.items[it->head].arity);
  arena_free(b.scratch);
}
