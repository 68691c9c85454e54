#include "machine/datalog/datalog_clause_code.h"

#include "machine/datalog/datalog_literal_order.h"

#include <string.h>

typedef VEC(dl_check) check_vec;

/* A clause while its code is being made. */
typedef struct compilation {
  const dl_compiler *c;
  const flat_program *f;
  const flat_clause *clause;
  dl_code *code;
  uint32_t given;   /* a body literal, or DL_NOTHING */
  bitset bound;     /* variables, by the steps so far */
  bitset placed;    /* body literals */
  check_vec checks; /* since the last step */
  arena *keep;
  arena *scratch;
} compilation;

static const flat_literal *literal_at(const compilation *x, uint32_t i) {
  return &x->f->literals.items[x->clause->body + i];
}

static const term_id *args_of(const compilation *x, const flat_literal *l) {
  return flat_args(x->f, l->args);
}

static uint32_t arg_count(const compilation *x, const flat_literal *l) {
  return l->kind == LITERAL_DISTINCT ? 2 : x->f->relations.items[l->relation].arity;
}

static dl_value value_of(const compilation *x, term_id arg) {
  const term *it = term_get(x->f->terms, arg);
  if (it->is_ground) return (dl_value){DL_TERM, arg};
  if (it->is_variable) return (dl_value){DL_VARIABLE, it->name};
  return (dl_value){DL_PATTERN, arg};
}

/* ---- keys ---- */

static dl_key key_new(const compilation *x, const term_id *args, uint32_t count, uint32_t size) {
  dl_key k = {.is_hashed = size == 0,
              .size = size,
              .value_count = count,
              .values = arena_new_array(x->keep, dl_value, count),
              .parts = arena_new_array(x->keep, dl_part, count)};
  for (uint32_t i = 0; i < count; i++) k.values[i] = value_of(x, args[i]);
  return k;
}

/* What column number i of the key adds. */
static void add_part(dl_key *k, uint32_t i, const uint32_t *parts) {
  if (k->values[i].kind == DL_VARIABLE)
    k->parts[k->part_count++] = (dl_part){parts, k->values[i].id};
  else
    k->base += parts[k->values[i].id];
}

static dl_key place_key(const compilation *x, uint32_t rows, const term_id *args) {
  const dl_layout *l = x->c->shapes[rows].layout;
  dl_key k = key_new(x, args, l->arity, l->size);
  for (uint32_t i = 0; i < l->arity && l->size; i++) add_part(&k, i, l->columns[i].parts);
  return k;
}

/* ---- checks ---- */

static bool all_bound(const compilation *x, const flat_literal *l) {
  for (uint32_t i = 0; i < arg_count(x, l); i++)
    if (!dl_is_bound(x->f->terms, args_of(x, l)[i], x->bound)) return false;
  return true;
}

/* A literal of the same relation as the given one and before it. */
static bool is_unmarked(const compilation *x, uint32_t i) {
  return x->code->is_counted && x->given != DL_NOTHING && i < x->given &&
         literal_at(x, i)->relation == literal_at(x, x->given)->relation;
}

static dl_check check_new(const compilation *x, uint32_t i) {
  const flat_literal *l = literal_at(x, i);
  if (l->kind == LITERAL_DISTINCT)
    return (dl_check){.kind = DL_DISTINCT, .key = key_new(x, args_of(x, l), 2, 0)};
  const bool is_positive = l->kind == LITERAL_POSITIVE;
  const uint32_t rows = is_positive ? l->relation : x->c->denied[l->relation];
  static const dl_check_kind kinds[2][2] = {{DL_ABSENT_FACT, DL_ABSENT_UNMARKED},
                                            {DL_PRESENT, DL_PRESENT_UNMARKED}};
  return (dl_check){.kind = kinds[is_positive][is_unmarked(x, i)],
                    .rows = rows,
                    .key = place_key(x, rows, args_of(x, l))};
}

/* Takes the literals that nothing is left to bind in: cheap ones first. */
static void take_checks(compilation *x) {
  static const literal_kind order[] = {LITERAL_DISTINCT, LITERAL_POSITIVE, LITERAL_NEGATIVE};
  for (size_t k = 0; k < sizeof order / sizeof *order; k++)
    for (uint32_t i = 0; i < x->clause->body_count; i++) {
      const flat_literal *l = literal_at(x, i);
      if (l->kind != order[k] || bitset_has(x->placed, i) || !all_bound(x, l)) continue;
      bitset_add(x->placed, i);
      vec_push(x->keep, &x->checks, check_new(x, i));
    }
}

/* The checks so far belong to the last step, or come before the first. */
static void close_checks(compilation *x) {
  dl_code *code = x->code;
  dl_step *last = code->step_count ? &code->steps[code->step_count - 1] : NULL;
  *(last ? &last->checks : &code->checks) = x->checks.items;
  *(last ? &last->check_count : &code->check_count) = x->checks.count;
  x->checks = (check_vec){0};
}

/* ---- steps ---- */

static void add_equal(const compilation *x, dl_step *s, uint32_t column, term_id arg) {
  s->equals[s->equal_count++] = (dl_equal){column, value_of(x, arg)};
}

/* Rows that agree with what is bound.  Hashed keys may agree by chance. */
static void add_chain(compilation *x, dl_step *s, const term_id *args, uint32_t arity) {
  uint32_t *columns = arena_new_array(x->scratch, uint32_t, arity);
  term_id *key = arena_new_array(x->scratch, term_id, arity);
  uint32_t count = 0;
  for (uint32_t i = 0; i < arity; i++) {
    if (!dl_is_bound(x->f->terms, args[i], x->bound)) continue;
    columns[count] = i;
    key[count++] = args[i];
  }
  if (!count) return;
  s->is_chain = true;
  s->index = dl_index_on(&x->c->shapes[s->rows], columns, count, x->keep);
  const dl_index *index = &x->c->shapes[s->rows].indexes.items[s->index];
  s->key = key_new(x, key, count, index->size);
  for (uint32_t i = 0; i < count; i++) {
    if (index->size)
      add_part(&s->key, i, index->parts[i]);
    else
      add_equal(x, s, columns[i], key[i]);
  }
}

typedef struct fresh_variables {
  compilation *x;
  id_vec list;
} fresh_variables;

static void note_fresh(void *context, uint32_t variable) {
  fresh_variables *v = context;
  if (bitset_insert(v->x->bound, variable)) vec_push(v->x->keep, &v->list, variable);
}

/* What to do with a cell that the key has not settled. */
static void add_cell(compilation *x, dl_step *s, uint32_t column, term_id arg) {
  if (dl_is_bound(x->f->terms, arg, x->bound)) {
    add_equal(x, s, column, arg);
    return;
  }
  fresh_variables fresh = {.x = x};
  const dl_value with = value_of(x, arg);
  term_each_variable(x->f->terms, arg, note_fresh, &fresh);
  if (with.kind == DL_VARIABLE)
    s->binds[s->bind_count++] = (dl_bind){column, with.id};
  else
    s->matches[s->match_count++] = (dl_match){column, arg, fresh.list.items, fresh.list.count};
}

/* An empty step for a literal. */
static dl_step step_new(const compilation *x, uint32_t i) {
  const flat_literal *l = literal_at(x, i);
  const uint32_t arity = arg_count(x, l);
  return (dl_step){.rows = l->relation,
                   .is_static = x->c->r->layers[l->relation] == DL_STATIC,
                   .is_unmarked = is_unmarked(x, i),
                   .binds = arena_new_array(x->keep, dl_bind, arity),
                   .equals = arena_new_array(x->keep, dl_equal, 2 * arity),
                   .matches = arena_new_array(x->keep, dl_match, arity)};
}

static void add_step(compilation *x, uint32_t i, bool is_given) {
  const flat_literal *l = literal_at(x, i);
  const uint32_t arity = arg_count(x, l);
  const term_id *args = args_of(x, l);
  close_checks(x);
  dl_step *s = &x->code->steps[x->code->step_count++];
  *s = step_new(x, i);
  bool *is_settled = arena_zero_array(x->scratch, bool, arity);
  for (uint32_t c = 0; c < arity && !is_given; c++)
    is_settled[c] = dl_is_bound(x->f->terms, args[c], x->bound);
  if (!is_given) add_chain(x, s, args, arity);
  bitset_add(x->placed, i);
  for (uint32_t c = 0; c < arity; c++)
    if (!is_settled[c]) add_cell(x, s, c, args[c]);
  take_checks(x);
}

/* Makes a check of a literal of which one row at most can fit.  False: it needs a step. */
static bool add_function(compilation *x, uint32_t i) {
  const flat_literal *l = literal_at(x, i);
  const uint32_t arity = arg_count(x, l);
  const term_id *args = args_of(x, l);
  uint32_t columns = 0;
  if (!x->c->shapes[l->relation].layout->size) return false;
  for (uint32_t c = 0; c < arity; c++)
    if (dl_is_bound(x->f->terms, args[c], x->bound)) columns |= UINT32_C(1) << c;
  if (!dl_is_function(x->c->r, l->relation, columns, x->keep)) return false;
  dl_step s = step_new(x, i);
  add_chain(x, &s, args, arity);
  if (s.key.is_hashed) return false;
  bitset_add(x->placed, i);
  for (uint32_t c = 0; c < arity; c++)
    if (!(columns >> c & 1)) add_cell(x, &s, c, args[c]);
  const dl_check check = {.kind = DL_FUNCTION,
                          .rows = s.rows,
                          .index = s.index,
                          .key = s.key,
                          .binds = s.binds,
                          .bind_count = s.bind_count,
                          .equals = s.equals,
                          .equal_count = s.equal_count};
  vec_push(x->keep, &x->checks, check);
  take_checks(x);
  return true;
}

static bool head_is_bound(const compilation *x) {
  for (uint32_t c = 0; c < x->f->relations.items[x->clause->head].arity; c++)
    if (!dl_is_bound(x->f->terms, flat_args(x->f, x->clause->head_args)[c], x->bound)) return false;
  return true;
}

static void compile(dl_code *code, const dl_compiler *c, flat_clause_id clause, uint32_t given,
                    bool is_counted) {
  compilation x = {.c = c,
                   .f = &c->r->dynamic,
                   .clause = &c->r->dynamic.clauses.items[clause],
                   .code = code,
                   .given = given,
                   .keep = c->keep,
                   .scratch = arena_new()};
  *code = (dl_code){.clause = clause,
                    .head = x.clause->head,
                    .is_given = given != DL_NOTHING,
                    .is_counted = is_counted,
                    .steps = arena_new_array(c->keep, dl_step, x.clause->body_count)};
  x.bound = bitset_new(x.scratch, x.clause->variable_count);
  x.placed = bitset_new(x.scratch, x.clause->body_count);
  uint32_t count;
  const uint32_t *order = dl_order(c->r, c->layouts, clause, given, x.scratch, &count);
  if (given != DL_NOTHING) bitset_add(x.placed, given); /* its rows are given: it is no check */
  take_checks(&x);
  bool is_head_bound = head_is_bound(&x);
  for (uint32_t i = 0; i < count; i++) {
    const bool is_given = order[i] == given;
    if (bitset_has(x.placed, order[i]) && !is_given) continue;
    if (is_given || !add_function(&x, order[i])) add_step(&x, order[i], is_given);
    if (!is_head_bound) code->head_steps = code->step_count;
    is_head_bound = head_is_bound(&x);
  }
  if (is_counted) code->head_steps = code->step_count;
  close_checks(&x);
  code->head_key = place_key(&x, code->head, flat_args(x.f, x.clause->head_args));
  arena_free(x.scratch);
}

void dl_compile(dl_code *code, const dl_compiler *c, flat_clause_id clause, uint32_t given) {
  compile(code, c, clause, given, false);
}

void dl_compile_counted(dl_code *code, const dl_compiler *c, flat_clause_id clause,
                        uint32_t given) {
  compile(code, c, clause, given, true);
}
