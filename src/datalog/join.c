#include "datalog/join.h"

#include <assert.h>

static uint32_t longest_key(const flat_program *f, const plan *p) {
  uint32_t longest = 2;
  for (uint32_t i = 0; i < p->step_count; i++)
    if (p->steps[i].key_count > longest) longest = p->steps[i].key_count;
  const flat_clause *c = &f->clauses.items[p->clause];
  for (uint32_t i = 0; i < c->body_count; i++) {
    const flat_literal *l = &f->literals.items[c->body + i];
    if (l->kind == LITERAL_NEGATIVE && f->relations.items[l->relation].arity > longest)
      longest = f->relations.items[l->relation].arity;
  }
  return longest;
}

void join_init(join *j, const flat_program *f, table *tables, const plan *p, arena *keep) {
  *j = (join){.f = f, .tables = tables, .plan = p, .try_limit = UINT64_MAX};
  j->bindings = arena_new_array(keep, term_id, f->clauses.items[p->clause].variable_count);
  j->rows = arena_new_array(keep, uint32_t, p->step_count);
  j->visible = arena_new_array(keep, uint32_t, p->step_count);
  j->next_rows = arena_new_array(keep, uint32_t, p->step_count);
  j->key = arena_new_array(keep, term_id, longest_key(f, p));
  for (uint32_t i = 0; i < p->step_count; i++) j->visible[i] = UINT32_MAX;
}

term_id join_value(const join *j, value v) {
  switch (v.kind) {
    case VALUE_TERM: return v.id;
    case VALUE_VARIABLE: return j->bindings[v.id];
    case VALUE_PATTERN: return term_substitute(j->f->terms, v.id, j->bindings);
  }
  return TERM_NONE;
}

uint32_t join_row_of(const join *j, uint32_t which) {
  for (uint32_t i = 0; i < j->plan->step_count; i++)
    if (j->plan->steps[i].literal == which) return j->rows[i];
  return ID_NONE;
}

/* ---- cells and checks ---- */

static bool match_pattern(const join *j, term_id pattern, term_id cell) {
  const term *it = term_get(j->f->terms, pattern);
  if (it->is_ground) return pattern == cell;
  if (it->is_variable) {
    if (j->bindings[it->name] == TERM_NONE) j->bindings[it->name] = cell;
    return j->bindings[it->name] == cell;
  }
  const term *value_of_cell = term_get(j->f->terms, cell);
  if (value_of_cell->name != it->name || value_of_cell->arg_count != it->arg_count) return false;
  for (uint32_t i = 0; i < it->arg_count; i++)
    if (!match_pattern(j, term_arg(j->f->terms, pattern, i), term_arg(j->f->terms, cell, i)))
      return false;
  return true;
}

static bool cell_fits(const join *j, const cell_action *a, term_id cell) {
  switch (a->kind) {
    case CELL_BIND: j->bindings[a->with.id] = cell; return true;
    case CELL_EQUALS: return join_value(j, a->with) == cell;
    case CELL_MATCH:
      for (uint32_t i = 0; i < a->fresh_count; i++) j->bindings[a->fresh[i]] = TERM_NONE;
      return match_pattern(j, a->with.id, cell);
  }
  return false;
}

static bool fill_key(const join *j, const value *values, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    j->key[i] = join_value(j, values[i]);
    if (j->key[i] == TERM_NONE) return false;
  }
  return true;
}

static bool check_holds(const join *j, const check *c) {
  if (c->kind == LITERAL_DISTINCT) return join_value(j, c->values[0]) != join_value(j, c->values[1]);
  const table *t = &j->tables[c->relation];
  return !fill_key(j, c->values, t->arity) || table_find(t, j->key) == ID_NONE;
}

static bool checks_hold(const join *j, const check *checks, uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    if (!check_holds(j, &checks[i])) return false;
  return true;
}

static bool row_fits(const join *j, const step *s, uint32_t row) {
  for (uint32_t i = 0; i < s->action_count; i++) {
    const term_id cell = table_row(&j->tables[s->relation], row)[s->actions[i].column];
    if (!cell_fits(j, &s->actions[i], cell)) return false;
  }
  return checks_hold(j, s->checks, s->check_count);
}

/* ---- walking the rows of a step ---- */

static void open_step(join *j, uint32_t level) {
  const step *s = &j->plan->steps[level];
  const table *t = &j->tables[s->relation];
  uint32_t first = ID_NONE;
  switch (s->kind) {
    case STEP_GIVEN: first = j->given; break;
    case STEP_SCAN: first = 0; break;
    case STEP_LOOKUP:
      if (fill_key(j, s->key, s->key_count)) first = table_lookup(t, s->index, j->key);
      break;
    case STEP_FIND:
      if (fill_key(j, s->key, s->key_count)) first = table_find(t, j->key);
      break;
  }
  j->next_rows[level] = first;
}

static uint32_t end_of_rows(const join *j, const step *s, uint32_t level) {
  if (s->kind == STEP_GIVEN) return j->given_end;
  const uint32_t count = j->tables[s->relation].count;
  return j->visible[level] < count ? j->visible[level] : count;
}

/* The next row to try, whether visible or not; ID_NONE at the end. */
static uint32_t take_row(join *j, const step *s, uint32_t level, uint32_t end) {
  const uint32_t row = j->next_rows[level];
  if (row == ID_NONE) return ID_NONE;
  switch (s->kind) {
    case STEP_GIVEN:
    case STEP_SCAN:
      if (row >= end) return ID_NONE;
      j->next_rows[level] = row + 1;
      break;
    case STEP_LOOKUP: j->next_rows[level] = table_older(&j->tables[s->relation], s->index, row); break;
    case STEP_FIND: j->next_rows[level] = ID_NONE; break;
  }
  return row;
}

typedef enum advance_end { ADVANCED, EXHAUSTED, PAUSED } advance_end;

/* Moves a step to its next fitting row. */
static advance_end advance(join *j, uint32_t level) {
  const step *s = &j->plan->steps[level];
  const uint32_t end = end_of_rows(j, s, level);
  for (;;) {
    if (j->tried >= j->try_limit) return PAUSED;
    const uint32_t row = take_row(j, s, level, end);
    if (row == ID_NONE) return EXHAUSTED;
    j->tried++;
    if (row >= end || !row_fits(j, s, row)) continue;
    j->rows[level] = row;
    return ADVANCED;
  }
}

static void update_indexes(join *j) {
  for (uint32_t i = 0; i < j->plan->step_count; i++) {
    const step *s = &j->plan->steps[i];
    if (s->kind == STEP_LOOKUP) table_update_index(&j->tables[s->relation], s->index);
  }
}

join_end join_run(join *j, join_solution *solution, join_pause *pause, void *context) {
  const plan *p = j->plan;
  if (!checks_hold(j, p->checks, p->check_count)) return JOIN_DONE;
  if (p->step_count == 0) return solution(context, j) ? JOIN_DONE : JOIN_STOPPED;
  update_indexes(j);
  uint32_t level = 0;
  open_step(j, 0);
  for (;;) {
    switch (advance(j, level)) {
      case PAUSED:
        if (!pause(context, j)) return JOIN_STOPPED;
        break;
      case EXHAUSTED:
        if (level == 0) return JOIN_DONE;
        level--;
        break;
      case ADVANCED:
        if (level + 1 < p->step_count) {
          open_step(j, ++level);
          break;
        }
        if (!solution(context, j)) return JOIN_STOPPED;
        if (j->each_head_once) level = p->last_head_step;
        break;
    }
  }
}
