#include "datalog/join.h"

#include <assert.h>

/* A cell and a place in the bindings that it is copied to or compared with. */
typedef struct cell_slot {
  uint32_t column;
  uint32_t slot;
} cell_slot;

/* A step without patterns, which is nearly every one, is nothing but copies and comparisons between
   cells and places in the bindings: constants have places there, too. */
struct join_step {
  const step *from;
  table *rows;
  bool is_plain; /* no pattern; else `from` is followed */
  uint32_t *key; /* places, for lookup and find */
  cell_slot *binds;
  uint32_t bind_count;
  cell_slot *equals; /* after the binds */
  uint32_t equal_count;
  uint32_t **checks; /* after these: the places of each check's values */
};

/* ---- setting up ---- */

static uint32_t longest_key(const flat_program *f, const plan *p) {
  uint32_t longest = 2;
  for (uint32_t i = 0; i < p->step_count; i++)
    if (p->steps[i].key_count > longest) longest = p->steps[i].key_count;
  const flat_clause *c = &f->clauses.items[p->clause];
  if (f->relations.items[c->head].arity > longest) longest = f->relations.items[c->head].arity;
  for (uint32_t i = 0; i < c->body_count; i++) {
    const flat_literal *l = &f->literals.items[c->body + i];
    if (l->kind == LITERAL_NEGATIVE && f->relations.items[l->relation].arity > longest)
      longest = f->relations.items[l->relation].arity;
  }
  return longest;
}

static uint32_t value_count(const flat_program *f, const check *c) {
  return c->kind == LITERAL_DISTINCT ? 2 : f->relations.items[c->relation].arity;
}

/* How many places the bindings need: each use of a constant has one of its own. */
static uint32_t count_slots(const flat_program *f, const plan *p) {
  uint32_t count = f->clauses.items[p->clause].variable_count;
  for (uint32_t i = 0; i < p->step_count; i++) {
    const step *s = &p->steps[i];
    count += s->key_count + s->action_count;
    for (uint32_t k = 0; k < s->check_count; k++) count += value_count(f, &s->checks[k]);
  }
  return count;
}

/* The place of a value that is no pattern. */
static uint32_t slot_of(join *j, value v, uint32_t *constants) {
  if (v.kind == VALUE_VARIABLE) return v.id;
  j->bindings[*constants] = v.id;
  return (*constants)++;
}

/* The places of so many values; NULL where one of them is a pattern. */
static uint32_t *slots_of(join *j, const value *values, uint32_t count, uint32_t *constants,
                          arena *keep) {
  for (uint32_t i = 0; i < count; i++)
    if (values[i].kind == VALUE_PATTERN) return NULL;
  uint32_t *slots = arena_new_array(keep, uint32_t, count);
  for (uint32_t i = 0; i < count; i++) slots[i] = slot_of(j, values[i], constants);
  return slots;
}

static void prepare_checks(join *j, join_step *x, uint32_t *constants, arena *keep) {
  const step *s = x->from;
  x->checks = arena_new_array(keep, uint32_t *, s->check_count);
  for (uint32_t i = 0; i < s->check_count; i++) {
    const check *c = &s->checks[i];
    x->checks[i] = slots_of(j, c->values, value_count(j->f, c), constants, keep);
    x->is_plain &= x->checks[i] != NULL;
  }
}

static void prepare_actions(join *j, join_step *x, uint32_t *constants, arena *keep) {
  const step *s = x->from;
  x->binds = arena_new_array(keep, cell_slot, s->action_count);
  x->equals = arena_new_array(keep, cell_slot, s->action_count);
  for (uint32_t i = 0; i < s->action_count; i++) {
    const cell_action *a = &s->actions[i];
    x->is_plain &= a->with.kind != VALUE_PATTERN;
    if (!x->is_plain) return;
    const cell_slot c = {a->column, slot_of(j, a->with, constants)};
    if (a->kind == CELL_BIND)
      x->binds[x->bind_count++] = c;
    else
      x->equals[x->equal_count++] = c;
  }
}

static void prepare_step(join *j, uint32_t i, uint32_t *constants, arena *keep) {
  const step *s = &j->plan->steps[i];
  join_step *x = &j->steps[i];
  *x = (join_step){.from = s,
                   .rows = &j->tables[s->relation],
                   .key = slots_of(j, s->key, s->key_count, constants, keep)};
  x->is_plain = x->key != NULL;
  if (x->is_plain) prepare_actions(j, x, constants, keep);
  if (x->is_plain) prepare_checks(j, x, constants, keep);
}

void join_init(join *j, const flat_program *f, table *tables, const plan *p, arena *keep) {
  *j = (join){.f = f, .tables = tables, .plan = p, .try_limit = UINT64_MAX};
  j->bindings = arena_new_array(keep, term_id, count_slots(f, p));
  j->rows = arena_new_array(keep, uint32_t, 3 * p->step_count);
  j->visible = j->rows + p->step_count;
  j->next_rows = j->visible + p->step_count;
  j->key = arena_new_array(keep, term_id, longest_key(f, p));
  j->steps = arena_new_array(keep, join_step, p->step_count);
  uint32_t constants = f->clauses.items[p->clause].variable_count;
  for (uint32_t i = 0; i < p->step_count; i++) {
    j->visible[i] = UINT32_MAX;
    prepare_step(j, i, &constants, keep);
  }
}

term_id join_pattern_value(const join *j, term_id pattern) {
  return term_substitute(j->f->terms, pattern, j->bindings);
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
  if (c->kind == LITERAL_DISTINCT)
    return join_value(j, c->values[0]) != join_value(j, c->values[1]);
  const table *t = &j->tables[c->relation];
  return !fill_key(j, c->values, t->arity) || table_find(t, j->key) == ID_NONE;
}

static bool checks_hold(const join *j, const check *checks, uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    if (!check_holds(j, &checks[i])) return false;
  return true;
}

static bool cells_fit(const join *j, const step *s, const term_id *cells) {
  for (uint32_t i = 0; i < s->action_count; i++)
    if (!cell_fits(j, &s->actions[i], cells[s->actions[i].column])) return false;
  return true;
}

static inline bool plain_check_holds(const join *j, const check *c, const uint32_t *slots) {
  const term_id *bindings = j->bindings;
  if (c->kind == LITERAL_DISTINCT) return bindings[slots[0]] != bindings[slots[1]];
  const table *t = &j->tables[c->relation];
  for (uint32_t i = 0; i < t->arity; i++) j->key[i] = bindings[slots[i]];
  return table_find(t, j->key) == ID_NONE;
}

static inline bool row_fits(const join *j, const join_step *x, uint32_t row) {
  const term_id *cells = table_row(x->rows, row);
  const step *s = x->from;
  term_id *bindings = j->bindings;
  if (!x->is_plain) return cells_fit(j, s, cells) && checks_hold(j, s->checks, s->check_count);
  for (uint32_t i = 0; i < x->bind_count; i++)
    bindings[x->binds[i].slot] = cells[x->binds[i].column];
  for (uint32_t i = 0; i < x->equal_count; i++)
    if (bindings[x->equals[i].slot] != cells[x->equals[i].column]) return false;
  for (uint32_t i = 0; i < s->check_count; i++)
    if (!plain_check_holds(j, &s->checks[i], x->checks[i])) return false;
  return true;
}

/* ---- walking the rows of a step ---- */

static inline bool fill_step_key(const join *j, const join_step *x) {
  if (!x->is_plain) return fill_key(j, x->from->key, x->from->key_count);
  for (uint32_t i = 0; i < x->from->key_count; i++) j->key[i] = j->bindings[x->key[i]];
  return true;
}

static inline void open_step(join *j, uint32_t level) {
  const join_step *x = &j->steps[level];
  uint32_t first = ID_NONE;
  switch (x->from->kind) {
    case STEP_GIVEN: first = j->given; break;
    case STEP_SCAN: first = 0; break;
    case STEP_LOOKUP:
      if (fill_step_key(j, x)) first = table_lookup(x->rows, x->from->index, j->key);
      break;
    case STEP_FIND:
      if (fill_step_key(j, x)) first = table_find(x->rows, j->key);
      break;
  }
  j->next_rows[level] = first;
}

static inline uint32_t end_of_rows(const join *j, const join_step *x, uint32_t level) {
  if (x->from->kind == STEP_GIVEN) return j->given_end;
  const uint32_t count = x->rows->count;
  return j->visible[level] < count ? j->visible[level] : count;
}

/* The row to try after this one, whether visible or not; ID_NONE at the end. */
static inline uint32_t row_after(const join_step *x, uint32_t row, uint32_t end) {
  switch (x->from->kind) {
    case STEP_GIVEN:
    case STEP_SCAN: return row + 1 < end ? row + 1 : ID_NONE;
    case STEP_LOOKUP: return table_older(x->rows, x->from->index, row);
    case STEP_FIND: break;
  }
  return ID_NONE;
}

typedef enum advance_end { ADVANCED, EXHAUSTED, PAUSED } advance_end;

/* Moves a step to its next fitting row. */
static inline advance_end advance(join *j, uint32_t level) {
  const join_step *x = &j->steps[level];
  const uint32_t end = end_of_rows(j, x, level);
  for (uint32_t row; (row = j->next_rows[level]) != ID_NONE;) {
    if (j->tried >= j->try_limit) return PAUSED;
    j->tried++;
    j->next_rows[level] = row_after(x, row, end);
    if (row >= end || !row_fits(j, x, row)) continue;
    j->rows[level] = row;
    return ADVANCED;
  }
  return EXHAUSTED;
}

/* Asked when the last variable of the head has been bound and more steps are to come. */
static bool head_is_known(const join *j) {
  const table *t = j->known;
  return fill_key(j, j->plan->head, t->arity) && table_find(t, j->key) != ID_NONE;
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
          if (j->known && level == p->last_head_step && head_is_known(j)) break;
          open_step(j, ++level);
          break;
        }
        if (!solution(context, j)) return JOIN_STOPPED;
        if (j->each_head_once) level = p->last_head_step;
        break;
    }
  }
}
