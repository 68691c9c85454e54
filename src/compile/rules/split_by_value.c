#include "compile/rules/split_by_value.h"

#include <string.h>

enum {
  SPLIT_VALUES_MAX = 256,
  SPLIT_CLAUSES_MAX = 20000, /* what all splitting together may give */
};

typedef struct splitter {
  flat_program *f;
  arena *keep;
  flat_id relation;
  uint32_t column;
  VEC(term_id) values;
  flat_id first_part; /* the relation of values.items[0]; the others follow */
} splitter;

/* ---- choosing ---- */

/* The states and moves keep their shapes; of legal, goal and sees the role stays a column. */
static bool may_split(const flat_program *f, flat_id r, uint32_t column) {
  switch (f->relations.items[r].relation) {
    case SYM_TRUE:
    case SYM_DOES:
    case SYM_NEXT:
    case SYM_INIT:
    case SYM_ROLE: return false;
    case SYM_LEGAL:
    case SYM_GOAL:
    case SYM_SEES: return column > 0;
    default: return true;
  }
}

static uint32_t find_value(const splitter *s, term_id value) {
  for (uint32_t i = 0; i < s->values.count; i++)
    if (s->values.items[i] == value) return i;
  return ID_NONE;
}

static bool note_value(splitter *s, term_id value) {
  if (find_value(s, value) != ID_NONE) return true;
  if (s->values.count == SPLIT_VALUES_MAX) return false;
  vec_push(s->keep, &s->values, value);
  return true;
}

/* A condition asks for a value in this column that no rule gives. */
static bool is_asked_for_more(const splitter *s) {
  const flat_program *f = s->f;
  for (flat_clause_id c = 0; c < f->clauses.count; c++) {
    const flat_clause *it = &f->clauses.items[c];
    for (uint32_t i = it->body; i < it->body + it->body_count; i++) {
      const flat_literal *l = &f->literals.items[i];
      if (l->kind == LITERAL_DISTINCT || l->relation != s->relation) continue;
      const term_id value = flat_args(f, l->args)[s->column];
      if (term_is_ground(f->terms, value) && find_value(s, value) == ID_NONE) return true;
    }
  }
  return false;
}

/* Every rule gives a constant in this column, and there are several, or others are asked for. */
static bool column_fits(splitter *s) {
  const flat_program *f = s->f;
  s->values.count = 0;
  if (!may_split(f, s->relation, s->column)) return false;
  for (flat_clause_id c = 0; c < f->clauses.count; c++) {
    if (f->clauses.items[c].head != s->relation) continue;
    const term_id value = flat_args(f, f->clauses.items[c].head_args)[s->column];
    if (!term_is_ground(f->terms, value) || !note_value(s, value)) return false;
  }
  return s->values.count > 1 || (s->values.count && is_asked_for_more(s));
}

static bool choose_column(splitter *s, flat_id r) {
  s->relation = r;
  if (!s->f->relations.items[r].is_exact) return false;
  for (s->column = 0; s->column < s->f->relations.items[r].arity; s->column++)
    if (column_fits(s)) return true;
  return false;
}

static bool choose(splitter *s, const order *o) {
  const flat_id negated = s->f->literals.items[o->offending_literal].relation;
  if (choose_column(s, negated)) return true;
  for (flat_id r = 0; r < s->f->relations.count; r++)
    if (o->component[r] == o->component[negated] && choose_column(s, r)) return true;
  return false;
}

/* ---- splitting ---- */

static void add_parts(splitter *s) {
  flat_program *f = s->f;
  const flat_relation whole = f->relations.items[s->relation];
  s->first_part = f->relations.count;
  term_id *holes = arena_new_array(s->keep, term_id, whole.arity);
  for (uint32_t v = 0; v < s->values.count; v++) {
    for (uint32_t i = 0; i < whole.arity; i++)
      holes[i] = i == s->column ? s->values.items[v] : term_variable(f->terms, i - (i > s->column));
    flat_relation part = whole;
    part.arity--;
    part.skeleton = term_relabel(f->terms, whole.skeleton, holes);
    vec_push(s->keep, &f->relations, part);
  }
}

static uint32_t copy_args(splitter *s, uint32_t args, uint32_t count, uint32_t without) {
  flat_program *f = s->f;
  const uint32_t start = f->args.count;
  vec_reserve(s->keep, &f->args, count + 1);
  for (uint32_t i = 0; i < count; i++)
    if (i != without) f->args.items[f->args.count++] = f->args.items[args + i];
  return start;
}

static void substitute(splitter *s, uint32_t args, uint32_t count, const term_id *bindings) {
  for (uint32_t i = 0; i < count; i++)
    s->f->args.items[args + i] = term_relabel(s->f->terms, s->f->args.items[args + i], bindings);
}

/* A copy of the clause, with arguments of its own, under a binding for one variable. */
static flat_clause bound_copy(splitter *s, const flat_clause *c, uint32_t variable, term_id value) {
  flat_program *f = s->f;
  term_id *bindings = arena_new_array(s->keep, term_id, c->variable_count + 1);
  memset(bindings, 0xff, (c->variable_count + 1) * sizeof *bindings);
  bindings[variable] = value;
  flat_clause copy = *c;
  const uint32_t arity = f->relations.items[c->head].arity;
  copy.head_args = copy_args(s, c->head_args, arity, ID_NONE);
  substitute(s, copy.head_args, arity, bindings);
  copy.body = f->literals.count;
  for (uint32_t i = 0; i < c->body_count; i++) {
    flat_literal l = f->literals.items[c->body + i];
    const uint32_t count = flat_arg_count(f, &l);
    l.args = copy_args(s, l.args, count, ID_NONE);
    substitute(s, l.args, count, bindings);
    vec_push(s->keep, &f->literals, l);
  }
  return copy;
}

/* What is left of a literal of the relation whose column is a constant. */
typedef enum literal_fate { FATE_KEPT, FATE_TRUE, FATE_FALSE } literal_fate;

static literal_fate replace_literal(splitter *s, flat_literal *l) {
  const flat_program *f = s->f;
  if (l->kind == LITERAL_DISTINCT) {
    const term_id left = f->args.items[l->args];
    const term_id right = f->args.items[l->args + 1];
    if (left == right) return FATE_FALSE;
    return term_is_ground(f->terms, left) && term_is_ground(f->terms, right) ? FATE_TRUE
                                                                             : FATE_KEPT;
  }
  if (l->relation != s->relation) return FATE_KEPT;
  const uint32_t v = find_value(s, f->args.items[l->args + s->column]);
  if (v == ID_NONE) return l->kind == LITERAL_NEGATIVE ? FATE_TRUE : FATE_FALSE;
  l->args = copy_args(s, l->args, f->relations.items[s->relation].arity, s->column);
  l->relation = s->first_part + v;
  return FATE_KEPT;
}

/* All occurrences have constants in the column.  False: the clause can never fire. */
static bool replace_in_clause(splitter *s, flat_clause *c) {
  flat_program *f = s->f;
  const uint32_t body = f->literals.count;
  for (uint32_t i = 0; i < c->body_count; i++) {
    flat_literal l = f->literals.items[c->body + i];
    const literal_fate fate = replace_literal(s, &l);
    if (fate == FATE_FALSE) return false;
    if (fate == FATE_KEPT) vec_push(s->keep, &f->literals, l);
  }
  if (c->head == s->relation) {
    flat_literal head = {LITERAL_POSITIVE, c->head, c->head_args};
    if (replace_literal(s, &head) == FATE_FALSE) return false;
    c->head = head.relation;
    c->head_args = head.args;
  }
  c->body = body;
  c->body_count = f->literals.count - body;
  return true;
}

/* A variable in the column of a body literal; ID_NONE: all are constants. */
static uint32_t variable_in_column(const splitter *s, const flat_clause *c) {
  const flat_program *f = s->f;
  for (uint32_t i = 0; i < c->body_count; i++) {
    const flat_literal *l = &f->literals.items[c->body + i];
    if (l->kind == LITERAL_DISTINCT || l->relation != s->relation) continue;
    const term_id value = f->args.items[l->args + s->column];
    if (term_is_variable(f->terms, value)) return term_variable_number(f->terms, value);
  }
  return ID_NONE;
}

static bool mentions(const splitter *s, const flat_clause *c) {
  if (c->head == s->relation) return true;
  for (uint32_t i = 0; i < c->body_count; i++) {
    const flat_literal *l = &s->f->literals.items[c->body + i];
    if (l->kind != LITERAL_DISTINCT && l->relation == s->relation) return true;
  }
  return false;
}

/* False: too many clauses. */
static bool split_clauses(splitter *s) {
  flat_program *f = s->f;
  VEC(flat_clause) waiting = {0};
  VEC(flat_clause) done = {0};
  for (flat_clause_id c = f->clauses.count; c-- > 0;)
    vec_push(s->keep, &waiting, f->clauses.items[c]);
  while (waiting.count) {
    flat_clause c = vec_pop(&waiting);
    const uint32_t variable = variable_in_column(s, &c);
    if (variable != ID_NONE) {
      for (uint32_t v = s->values.count; v-- > 0;)
        vec_push(s->keep, &waiting, bound_copy(s, &c, variable, s->values.items[v]));
    } else if (!mentions(s, &c) || replace_in_clause(s, &c)) {
      vec_push(s->keep, &done, c);
    }
    if (waiting.count + done.count > SPLIT_CLAUSES_MAX) return false;
  }
  f->clauses.count = 0;
  vec_append(s->keep, &f->clauses, done.items, done.count);
  return true;
}

bool split_relation(flat_program *f, const order *o, arena *keep) {
  splitter s = {.f = f, .keep = keep};
  if (!choose(&s, o)) return false;
  add_parts(&s);
  return split_clauses(&s);
}
