#include "machine/datalog/datalog_run.h"

#include <string.h>

enum {
  ROWS_BETWEEN_LOOKS = 4096,
  RUN_WORK = 3, /* of a run, in rows */
};

void dl_fail(dl_runner *x, diag_kind kind, flat_clause_id to_blame, const char *message) {
  const program *p = &x->r->linked;
  const rule_id r = p->clauses.items[x->r->dynamic.clauses.items[to_blame].source].rule;
  *x->trouble =
      (machine_trouble){.is_there = true, .kind = kind, .where = SPAN_NONE, .message = message};
  if (r != RULE_NONE) x->trouble->where = program_span(p, p->rules.items[r].node);
}

/* The budget is spent, or something else has gone wrong before. */
static bool dl_is_over(dl_runner *x) {
  x->looked += ROWS_BETWEEN_LOOKS - x->countdown;
  x->countdown = ROWS_BETWEEN_LOOKS;
  if (x->trouble->is_there) return true;
  if (!x->limits || !budget_check_now(x->limits)) return false;
  *x->trouble = (machine_trouble){.is_there = true,
                                  .kind = DIAG_E801,
                                  .where = SPAN_NONE,
                                  .message = "a state was not evaluated to its end"};
  return true;
}

/* ---- values ---- */

/* What a value is written as: no term is made for it. */
static inline term_id written(const dl_runner *x, dl_value v) {
  return v.kind == DL_VARIABLE ? x->bindings[v.id] : v.id;
}

static inline bool values_are_equal(const dl_runner *x, dl_value a, dl_value b) {
  const term_id left = written(x, a), right = written(x, b);
  if (a.kind != DL_PATTERN && b.kind != DL_PATTERN) return left == right;
  return term_equal_under(x->terms, left, right, x->bindings);
}

static inline bool is_value(const dl_runner *x, dl_value v, term_id cell) {
  return values_are_equal(x, v, (dl_value){DL_TERM, cell});
}

TERM_MUST_ASK static inline bool value_of(const dl_runner *x, dl_value v, term_id *made) {
  if (v.kind == DL_PATTERN) return term_substitute(x->terms, v.id, x->bindings, made);
  *made = written(x, v);
  return true;
}

/* False: a value would be too deep a term, which no fact holds. */
TERM_MUST_ASK static bool fill_row(const dl_runner *x, const dl_key *k) {
  for (uint32_t i = 0; i < k->value_count; i++)
    if (!value_of(x, k->values[i], &x->row[i])) return false;
  return true;
}

/* False: it is deeper than facts may be. */
TERM_MUST_ASK static bool fill_head(const dl_runner *x, const dl_key *k) {
  if (!fill_row(x, k)) return false;
  for (uint32_t i = 0; i < k->value_count; i++)
    if (k->values[i].kind == DL_PATTERN &&
        term_get(x->terms, x->row[i])->depth > ARGUMENT_DEPTH_MAX)
      return false;
  return true;
}

static inline uint32_t place_of(const dl_runner *x, const dl_key *k) {
  uint32_t place = k->base;
  for (uint32_t i = 0; i < k->part_count; i++)
    place += k->parts[i].parts[x->bindings[k->parts[i].variable]];
  return place;
}

/* ---- checks ---- */

static bool hashed_fact_is_there(const dl_runner *x, const dl_check *c) {
  return fill_row(x, &c->key) && dl_rows_have(&x->rows[c->rows], x->row);
}

static inline bool fact_is_there(const dl_runner *x, const dl_check *c) {
  if (c->key.is_hashed) return hashed_fact_is_there(x, c);
  const dl_rows *t = &x->rows[c->rows];
  const uint32_t place = place_of(x, &c->key);
  return place < c->key.size && dl_has_place(t, place);
}

static bool unmarked_fact_is_there(const dl_runner *x, const dl_check *c) {
  return fact_is_there(x, c) && !dl_is_marked(&x->rows[c->rows], place_of(x, &c->key));
}

/* The one fact with the key, if there is any, binds its other cells. */
static inline bool function_fits(const dl_runner *x, const dl_check *c) {
  const dl_rows *t = &x->rows[c->rows];
  const uint32_t key = place_of(x, &c->key);
  const uint32_t row = key < c->key.size ? t->chains[c->index].first[key] : ID_NONE;
  if (row == ID_NONE) return false;
  const term_id *cells = dl_row(t, row);
  for (uint32_t i = 0; i < c->bind_count; i++)
    x->bindings[c->binds[i].variable] = cells[c->binds[i].column];
  for (uint32_t i = 0; i < c->equal_count; i++)
    if (!is_value(x, c->equals[i].with, cells[c->equals[i].column])) return false;
  return true;
}

static inline bool check_holds(const dl_runner *x, const dl_check *c) {
  switch (c->kind) {
    case DL_DISTINCT: return !values_are_equal(x, c->key.values[0], c->key.values[1]);
    case DL_PRESENT: return fact_is_there(x, c);
    case DL_ABSENT_FACT: return !fact_is_there(x, c);
    case DL_PRESENT_UNMARKED: return unmarked_fact_is_there(x, c);
    case DL_ABSENT_UNMARKED: return !unmarked_fact_is_there(x, c);
    case DL_FUNCTION: return function_fits(x, c);
  }
  return false;
}

static inline bool checks_hold(const dl_runner *x, const dl_check *checks, uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    if (!check_holds(x, &checks[i])) return false;
  return true;
}

/* ---- rows ---- */

static bool match(const dl_runner *x, term_id pattern, term_id cell) {
  const term *it = term_get(x->terms, pattern);
  if (it->is_ground) return pattern == cell;
  if (it->is_variable) {
    if (x->bindings[it->name] == TERM_NONE) x->bindings[it->name] = cell;
    return x->bindings[it->name] == cell;
  }
  const term *of_cell = term_get(x->terms, cell);
  if (of_cell->name != it->name || of_cell->arg_count != it->arg_count) return false;
  for (uint32_t i = 0; i < it->arg_count; i++)
    if (!match(x, term_arg(x->terms, pattern, i), term_arg(x->terms, cell, i))) return false;
  return true;
}

static bool patterns_fit(const dl_runner *x, const dl_step *s, const term_id *cells) {
  for (uint32_t i = 0; i < s->match_count; i++) {
    const dl_match *a = &s->matches[i];
    for (uint32_t k = 0; k < a->fresh_count; k++) x->bindings[a->fresh[k]] = TERM_NONE;
    if (!match(x, a->pattern, cells[a->column])) return false;
  }
  return true;
}

static inline bool row_fits(const dl_runner *x, const dl_step *s, const term_id *cells) {
  for (uint32_t i = 0; i < s->bind_count; i++)
    x->bindings[s->binds[i].variable] = cells[s->binds[i].column];
  if (s->match_count && !patterns_fit(x, s, cells)) return false;
  for (uint32_t i = 0; i < s->equal_count; i++)
    if (!is_value(x, s->equals[i].with, cells[s->equals[i].column])) return false;
  return checks_hold(x, s->checks, s->check_count);
}

static inline void open_step(dl_runner *x, const dl_step *s, uint32_t level) {
  const dl_rows *t = &x->rows[s->rows];
  x->cursors[level] = 0;
  x->ends[level] = t->count;
  if (!s->is_chain) return;
  if (s->key.is_hashed) {
    x->cursors[level] = fill_row(x, &s->key) ? dl_rows_hashed(t, s->index, x->row) : ID_NONE;
    return;
  }
  const uint32_t key = place_of(x, &s->key);
  x->cursors[level] = key < s->key.size ? t->chains[s->index].first[key] : ID_NONE;
}

/* Moves a step to its next fitting row.  False: there is none. */
static inline bool advance(dl_runner *x, const dl_step *s, uint32_t level) {
  const dl_rows *t = &x->rows[s->rows];
  for (;;) {
    const uint32_t row = x->cursors[level];
    if (row >= x->ends[level]) return false;
    x->cursors[level] = s->is_chain ? t->chains[s->index].older[row] : row + 1;
    if (--x->countdown < 0 && dl_is_over(x)) return false;
    if (s->is_unmarked && dl_is_marked(t, t->places[row])) continue;
    if (row_fits(x, s, dl_row(t, row))) return true;
  }
}

/* ---- facts ---- */

/* Adds a fact without a place, or a way to one that is counted. */
static void add_specially(dl_runner *x, const dl_code *code) {
  if (code->is_counted) {
    dl_rows_tally(&x->rows[code->head], place_of(x, &code->head_key), x->way);
    return;
  }
  if (fill_head(x, &code->head_key))
    dl_rows_add(&x->rows[code->head], x->row);
  else
    dl_fail(x, DIAG_E804, code->clause, "this rule makes ever larger terms");
}

static inline void add_fact(dl_runner *x, const dl_code *code) {
  const dl_key *k = &code->head_key;
  if (k->is_hashed | code->is_counted) {
    add_specially(x, code);
    return;
  }
  dl_rows *t = &x->rows[code->head];
  const uint32_t place = place_of(x, k);
  if (dl_has_place(t, place)) return;
  const dl_layout *l = t->shape->layout;
  if (!l->rows && !fill_row(x, k)) return;
  dl_rows_push(t, l->rows ? l->rows + (size_t)place * t->arity : x->row, place);
}

/* ---- the loops ---- */

/* False: some relation has no fact, so there is nothing to find. */
static bool prepare_steps(dl_runner *x, const dl_code *code) {
  for (uint32_t i = 0; i < code->step_count; i++)
    if (x->rows[code->steps[i].rows].count == 0) return false;
  for (uint32_t i = 0; i < code->step_count; i++) {
    const dl_step *s = &code->steps[i];
    if (!s->is_chain || s->is_static) continue;
    dl_rows_update(&x->rows[s->rows], s->index);
    x->rows[s->rows].chains[s->index].is_used = true;
  }
  return true;
}

static void run_steps(dl_runner *x, const dl_code *code) {
  uint32_t level = 0;
  for (;;) {
    if (!advance(x, &code->steps[level], level)) {
      if (level == 0 || x->trouble->is_there) return;
      level--;
      continue;
    }
    if (level + 1 < code->step_count) {
      level++;
      open_step(x, &code->steps[level], level);
      continue;
    }
    add_fact(x, code);
    if (code->head_steps == 0) return;
    level = code->head_steps - 1;
  }
}

void dl_run(dl_runner *x, const dl_code *code, uint32_t given, uint32_t given_end) {
  x->countdown -= RUN_WORK;
  if (x->countdown < 0 && dl_is_over(x)) return;
  if (!checks_hold(x, code->checks, code->check_count)) return;
  if (code->step_count == 0) {
    add_fact(x, code);
    return;
  }
  if (!prepare_steps(x, code)) return;
  open_step(x, &code->steps[0], 0);
  if (code->is_given) {
    x->cursors[0] = given;
    x->ends[0] = given_end;
  }
  run_steps(x, code);
}
