#include "datalog/join.h"

#include "datalog/plan_sound.h"

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
  step_kind kind;
  bool is_plain; /* no pattern; else `from` is followed */
  const table *rows;
  const table_index *index; /* STEP_LOOKUP: found when a run begins */
  const uint32_t *older; /* STEP_LOOKUP: by row, the next with its key: found when a run begins */
  uint32_t end;          /* rows before this one count: found when a run begins */
  uint32_t next;         /* the row to try next; ID_NONE: there is none */
  uint32_t *row;         /* the row that it stands on, in join.rows */
  uint32_t *key;         /* places, for lookup and find */
  uint32_t key_count;
  const cell_slot *binds, *binds_end;
  const cell_slot *equals, *equals_end; /* after the binds */
  uint32_t **checks;                    /* after these: the places of each check's values */
  uint32_t check_count;
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
  return count + f->relations.items[f->clauses.items[p->clause].head].arity;
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
  cell_slot *binds = arena_new_array(keep, cell_slot, 2 * s->action_count);
  cell_slot *equals = binds + s->action_count;
  x->binds = binds;
  x->equals = equals;
  for (uint32_t i = 0; i < s->action_count; i++) {
    const cell_action *a = &s->actions[i];
    x->is_plain &= a->with.kind != VALUE_PATTERN;
    if (!x->is_plain) return;
    const cell_slot c = {a->column, slot_of(j, a->with, constants)};
    if (a->kind == CELL_BIND)
      *binds++ = c;
    else
      *equals++ = c;
  }
  x->binds_end = binds;
  x->equals_end = equals;
}

static void prepare_step(join *j, uint32_t i, uint32_t *constants, arena *keep) {
  const step *s = &j->plan->steps[i];
  join_step *x = &j->steps[i];
  *x = (join_step){.from = s,
                   .kind = s->kind,
                   .rows = &j->tables[s->relation],
                   .row = &j->rows[i],
                   .key_count = s->key_count,
                   .check_count = s->check_count,
                   .key = slots_of(j, s->key, s->key_count, constants, keep)};
  x->is_plain = x->key != NULL;
  if (x->is_plain) prepare_actions(j, x, constants, keep);
  if (x->is_plain) prepare_checks(j, x, constants, keep);
}

void join_init(join *j, const flat_program *f, table *tables, const plan *p, arena *keep) {
  assert(plan_is_sound(p, f, tables));
  *j = (join){.f = f, .tables = tables, .plan = p, .try_limit = UINT64_MAX};
  j->bindings = arena_new_array(keep, term_id, count_slots(f, p));
  j->rows = arena_new_array(keep, uint32_t, 2 * p->step_count);
  j->visible = j->rows + p->step_count;
  const uint32_t arity = f->relations.items[f->clauses.items[p->clause].head].arity;
  j->key = arena_new_array(keep, term_id, longest_key(f, p) + arity);
  j->head = j->key + longest_key(f, p);
  j->steps = arena_new_array(keep, join_step, p->step_count);
  uint32_t constants = f->clauses.items[p->clause].variable_count;
  for (uint32_t i = 0; i < p->step_count; i++) {
    j->visible[i] = UINT32_MAX;
    prepare_step(j, i, &constants, keep);
  }
  j->head_slots = slots_of(j, p->head, arity, &constants, keep);
}

bool join_pattern_value(const join *j, term_id pattern, term_id *made) {
  return term_substitute(j->f->terms, pattern, j->bindings, made);
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

/* What a value is written as: no term is made for it. */
static term_id term_of(const join *j, value v) {
  return v.kind == VALUE_VARIABLE ? j->bindings[v.id] : v.id;
}

static bool is_value(const join *j, value v, term_id other) {
  return term_equal_under(j->f->terms, term_of(j, v), other, j->bindings);
}

static bool cell_fits(const join *j, const cell_action *a, term_id cell) {
  switch (a->kind) {
    case CELL_BIND: j->bindings[a->with.id] = cell; return true;
    case CELL_EQUALS: return is_value(j, a->with, cell);
    case CELL_MATCH:
      for (uint32_t i = 0; i < a->fresh_count; i++) j->bindings[a->fresh[i]] = TERM_NONE;
      return match_pattern(j, a->with.id, cell);
  }
  return false;
}

/* False: one is too deep a term to be in any fact. */
static bool fill_key(const join *j, const value *values, uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    if (!join_value(j, values[i], &j->key[i])) return false;
  return true;
}

static bool check_holds(const join *j, const check *c) {
  if (c->kind == LITERAL_DISTINCT) return !is_value(j, c->values[0], term_of(j, c->values[1]));
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

/* Collects a key from its places; returns its hash. */
static inline uint64_t gather(const term_id *bindings, const uint32_t *slots, uint32_t count,
                              term_id *key) {
  uint64_t hash = 0;
  for (; count > 1; slots += 2, key += 2, count -= 2) {
    key[0] = bindings[slots[0]];
    key[1] = bindings[slots[1]];
    hash = table_hash_add(hash, key[0] | (uint64_t)key[1] << 32);
  }
  if (count == 0) return hash;
  key[0] = bindings[slots[0]];
  return table_hash_add(hash, key[0]);
}

static inline bool plain_check_holds(const join *j, const check *c, const uint32_t *slots) {
  const term_id *bindings = j->bindings;
  if (c->kind == LITERAL_DISTINCT) return bindings[slots[0]] != bindings[slots[1]];
  const table *t = &j->tables[c->relation];
  const uint64_t hash = gather(bindings, slots, t->arity, j->key);
  return table_find_hashed(t, j->key, hash) == ID_NONE;
}

static bool plain_checks_hold(const join *j, const join_step *x) {
  for (uint32_t i = 0; i < x->check_count; i++)
    if (!plain_check_holds(j, &x->from->checks[i], x->checks[i])) return false;
  return true;
}

static bool patterns_fit(const join *j, const step *s, const term_id *cells) {
  return cells_fit(j, s, cells) && checks_hold(j, s->checks, s->check_count);
}

/* Binds what the row gives, and compares the rest. */
static inline bool row_fits(const join *j, const join_step *x, uint32_t row) {
  const term_id *cells = table_row(x->rows, row);
  if (!x->is_plain) return patterns_fit(j, x->from, cells);
  term_id *bindings = j->bindings;
  for (const cell_slot *c = x->binds; c < x->binds_end; c++) bindings[c->slot] = cells[c->column];
  for (const cell_slot *c = x->equals; c < x->equals_end; c++)
    if (bindings[c->slot] != cells[c->column]) return false;
  return x->check_count == 0 || plain_checks_hold(j, x);
}

/* ---- walking the rows of a step ---- */

/* The key of a step with patterns.  False: it has no value. */
static bool key_of_patterns(const join *j, const join_step *x, uint64_t *hash) {
  if (!fill_key(j, x->from->key, x->key_count)) return false;
  *hash = table_hash(j->key, x->key_count);
  return true;
}

/* The row to try first, whether visible or not; ID_NONE: there is none. */
static inline uint32_t first_row(const join *j, const join_step *x) {
  if (x->kind == STEP_GIVEN) return j->given;
  if (x->kind == STEP_SCAN) return 0;
  uint64_t hash;
  if (x->is_plain)
    hash = gather(j->bindings, x->key, x->key_count, j->key);
  else if (!key_of_patterns(j, x, &hash))
    return ID_NONE;
  return x->kind == STEP_FIND ? table_find_hashed(x->rows, j->key, hash)
                              : table_lookup_hashed(x->rows, x->index, j->key, hash);
}

/* The row to try after this one. */
static inline uint32_t row_after(const join_step *x, uint32_t row) {
  if (x->older) {
    const uint32_t older = x->older[row];
    if (older != ID_NONE) __builtin_prefetch(table_row(x->rows, older));
    return older;
  }
  return x->kind != STEP_FIND && row + 1 < x->end ? row + 1 : ID_NONE;
}

/* Moves a step to its next row that fits.  False: there is none, or it is time to pause. */
static inline bool advance(join *j, join_step *x) {
  uint64_t tried = j->tried;
  bool fits = false;
  for (uint32_t row; !fits && (row = x->next) != ID_NONE && tried < j->try_limit;) {
    tried++;
    x->next = row_after(x, row);
    fits = row < x->end && row_fits(j, x, row);
    *x->row = row;
  }
  j->tried = tried;
  return fits;
}

static inline void gather_head(join *j) {
  j->head_hash = gather(j->bindings, j->head_slots, j->known->arity, j->head);
}

/* Asked when the last variable of the head has been bound and more steps are to come. */
static inline bool head_is_known(join *j) {
  const table *t = j->known;
  if (!j->head_slots)
    return fill_key(j, j->plan->head, t->arity) && table_find(t, j->key) != ID_NONE;
  gather_head(j);
  return table_find_hashed(t, j->head, j->head_hash) != ID_NONE;
}

/* The one row of a STEP_FIND has no cell that is not in its key. */
static inline bool found_row_fits(const join *j, const join_step *x, uint32_t row) {
  if (row >= x->end) return false;
  if (x->check_count == 0) return true;
  return x->is_plain ? plain_checks_hold(j, x) : checks_hold(j, x->from->checks, x->check_count);
}

/* From a step that stands on a row to the next one that may have several; those that have one row
   at the most stand on it at once.  Returns the step to go on with: `end` at a solution. */
static inline join_step *descend(join *j, join_step *x, const join_step *head, join_step *end) {
  while (x + 1 < end) {
    if (x == head && j->known && head_is_known(j)) return x;
    const uint32_t row = x[1].next = first_row(j, &x[1]);
    if (row == ID_NONE) return x;
    x++;
    if (x->kind != STEP_FIND || j->tried >= j->try_limit) return x;
    x->next = ID_NONE;
    *x->row = row;
    j->tried++;
    if (!found_row_fits(j, x, row)) return x;
  }
  return end;
}

/* Indexes are brought up to date; what may change between runs is looked up. */
static void begin_run(join *j) {
  for (uint32_t i = 0; i < j->plan->step_count; i++) {
    join_step *x = &j->steps[i];
    const step *s = x->from;
    table *t = &j->tables[s->relation];
    x->end = s->kind == STEP_GIVEN ? j->given_end : t->count;
    if (s->kind != STEP_GIVEN && j->visible[i] < x->end) x->end = j->visible[i];
    if (s->kind != STEP_LOOKUP) continue;
    table_update_index(t, s->index);
    x->index = &t->indexes.items[s->index];
    x->older = x->index->older.items;
  }
  j->steps[0].next = first_row(j, &j->steps[0]);
}

/* Steps are walked over as a row of counters: the last that has a row left goes on, those behind it
   begin anew. */
static join_end run_steps(join *j, join_solution *solution, join_pause *pause, void *context) {
  join_step *const end = j->steps + j->plan->step_count;
  join_step *const head = j->steps + j->plan->last_head_step;
  const bool gathers = j->known && j->head_slots && head + 1 == end; /* else head_is_known does */
  for (join_step *x = j->steps;;) {
    if (!advance(j, x)) {
      if (x->next != ID_NONE) {
        if (!pause(context, j)) return JOIN_STOPPED;
        continue;
      }
      if (x == j->steps) return JOIN_DONE;
      x--;
      continue;
    }
    x = descend(j, x, head, end);
    if (x < end) continue;
    if (gathers) gather_head(j);
    if (!solution(context, j)) return JOIN_STOPPED;
    x = j->each_head_once ? head : end - 1;
  }
}

join_end join_run(join *j, join_solution *solution, join_pause *pause, void *context) {
  const plan *p = j->plan;
  if (!checks_hold(j, p->checks, p->check_count)) return JOIN_DONE;
  if (p->step_count > 0) {
    begin_run(j);
    return run_steps(j, solution, pause, context);
  }
  if (j->known && j->head_slots) gather_head(j);
  return solution(context, j) ? JOIN_DONE : JOIN_STOPPED;
}
