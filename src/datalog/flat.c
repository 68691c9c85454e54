#include "datalog/flat.h"

#include "datalog/shapes.h"

#include <string.h>

enum { SHAPE_DEPTH_USUAL = 8 }; /* deeper atoms make their relation generic */

/* A clause while it is written with the shapes of a combination. */
typedef struct writer {
  shaper *s;
  const fitting *x;
  flat_id head;
  term_id *new_names; /* by variable: its new name, TERM_NONE before the first use */
  uint32_t variable_count;
} writer;

static void rename_variable(void *context, uint32_t number) {
  writer *w = context;
  if (w->new_names[number] == TERM_NONE)
    w->new_names[number] = term_variable(w->s->f->terms, w->variable_count++);
}

/* A term of the clause as the flat clause has it.  False: all must be done again. */
static bool flat_term(writer *w, term_id id, term_id *made) {
  term_table *t = w->s->f->terms;
  id = term_representative(t, id, w->x->bindings);
  const term it = *term_get(t, id);
  if (!it.is_ground && !it.is_variable && !shape_resolve(w->s, w->x, id, &id)) return false;
  term_each_variable(t, id, rename_variable, w);
  *made = term_relabel(t, id, w->new_names);
  return true;
}

/* Puts the terms in the holes of a skeleton, for an atom that fits it, behind `start`.  False: all
   must be done again. */
static bool collect_holes(writer *w, term_id skeleton, term_id atom, uint32_t start) {
  const term_table *t = w->s->f->terms;
  const term shape = *term_get(t, skeleton);
  if (shape.is_variable) return flat_term(w, atom, &w->s->f->args.items[start + shape.name]);
  atom = term_representative(t, atom, w->x->bindings);
  for (uint32_t i = 0; i < shape.arg_count; i++)
    if (!collect_holes(w, term_arg(t, skeleton, i), term_arg(t, atom, i), start)) return false;
  return true;
}

static uint32_t add_args(writer *w, const flat_relation *r, term_id atom) {
  flat_program *f = w->s->f;
  const uint32_t start = f->args.count;
  vec_reserve(w->s->keep, &f->args, r->arity);
  f->args.count += r->arity;
  w->s->must_restart |= !collect_holes(w, r->skeleton, atom, start);
  return start;
}

typedef struct bound_check {
  const writer *w;
  bool all_bound;
} bound_check;

static void check_bound(void *context, uint32_t number) {
  bound_check *c = context;
  c->all_bound &= c->w->x->is_bound[number];
}

/* For a variable of the clause: those that its value holds. */
static void check_value_bound(void *context, uint32_t number) {
  const writer *w = ((bound_check *)context)->w;
  const term_id value = w->x->bindings[number];
  term_id it;
  if (value == TERM_NONE)
    check_bound(context, number);
  else if (shape_resolve(w->s, w->x, value, &it))
    term_each_variable(w->s->f->terms, it, check_bound, context);
}

/* Every variable of an atom must be bound by a positive literal.  Else reports it: false. */
static bool is_safe(writer *w, term_id atom, diag_kind kind, node_id n) {
  bound_check c = {w, true};
  term_each_variable(w->s->f->terms, atom, check_value_bound, &c);
  if (w->s->must_restart) return false;
  if (c.all_bound) return true;
  bool *is_reported = &w->s->is_reported[w->x->clause - w->s->p->clauses.items];
  if (*is_reported) return false;
  *is_reported = true;
  diag_add(
      w->s->d, kind, program_span(w->s->p, n),
      "a variable of this atom is in no positive body literal, so the rule cannot be evaluated");
  return false;
}

static void push_literal(writer *w, flat_literal l) { vec_push(w->s->keep, &w->s->f->literals, l); }

static void write_positives(writer *w) {
  for (uint32_t i = 0; i < w->x->positive_count; i++) {
    const flat_id shape = w->x->positives[i].shape;
    const flat_relation *r = &w->s->f->relations.items[shape];
    push_literal(w, (flat_literal){LITERAL_POSITIVE, shape,
                                   add_args(w, r, w->x->positives[i].literal->atom)});
  }
}

/* The shape that facts like a negated atom have; ID_NONE: no fact is like it. */
static flat_id shape_of_negated(writer *w, relation_id r, term_id atom) {
  shaper *s = w->s;
  uint32_t holes;
  term_id skeleton;
  if (s->is_generic[r]) return s->shapes_of[r].items[0];
  if (shape_skeleton(s, atom, w->x->is_constant, &holes, &skeleton)) return shape_find(s, skeleton);
  if (s->shapes_of[r].count > 0) shape_make_generic(s, r);
  return ID_NONE;
}

/* A negated atom whose shape no fact can have is true, and is left out. */
static void write_negative(writer *w, const literal *l) {
  shaper *s = w->s;
  term_id atom;
  if (!shape_resolve(s, w->x, l->atom, &atom)) return;
  const flat_id shape = shape_of_negated(w, atom_relation(s->p, l->atom), atom);
  if (shape == ID_NONE) return;
  push_literal(
      w, (flat_literal){LITERAL_NEGATIVE, shape, add_args(w, &s->f->relations.items[shape], atom)});
}

/* False: the two terms are the same, so the clause can never fire; or all must be done again. */
static bool write_distinct(writer *w, const literal *l) {
  flat_program *f = w->s->f;
  term_id left, right;
  if (!flat_term(w, term_arg(f->terms, l->atom, 0), &left) ||
      !flat_term(w, term_arg(f->terms, l->atom, 1), &right) || left == right)
    return false;
  if (term_is_ground(f->terms, left) && term_is_ground(f->terms, right)) return true;
  push_literal(w, (flat_literal){LITERAL_DISTINCT, ID_NONE, f->args.count});
  vec_push(w->s->keep, &f->args, left);
  vec_push(w->s->keep, &f->args, right);
  return true;
}

/* The literals that are not positive.  False: the clause can never fire, or a fault. */
static bool write_others(writer *w) {
  const program *p = w->s->p;
  const clause *c = w->x->clause;
  for (uint32_t i = c->body; i < c->body + c->body_count; i++) {
    const literal *l = &p->literals.items[i];
    if (l->kind == LITERAL_POSITIVE) continue;
    const diag_kind kind = l->kind == LITERAL_NEGATIVE ? DIAG_E402 : DIAG_E403;
    if (!is_safe(w, l->atom, kind, l->node)) return false;
    if (l->kind == LITERAL_NEGATIVE)
      write_negative(w, l);
    else if (!write_distinct(w, l))
      return false;
  }
  return true;
}

static node_id head_node_of(const program *p, const clause *c) {
  return c->rule == RULE_NONE ? UINT32_MAX : p->rules.items[c->rule].head_node;
}

static void write_clause(writer *w) {
  shaper *s = w->s;
  flat_program *f = s->f;
  const clause *c = w->x->clause;
  if (!is_safe(w, c->head, DIAG_E401, head_node_of(s->p, c))) return;
  const flat_clause fresh = {
      .head = w->head, .body = f->literals.count, .source = (clause_id)(c - s->p->clauses.items)};
  write_positives(w);
  const bool can_fire = write_others(w);
  if (!can_fire || s->must_restart) {
    f->literals.count = fresh.body;
    return;
  }
  vec_push(s->keep, &f->clauses, fresh);
  flat_clause *it = &vec_last(&f->clauses);
  it->body_count = f->literals.count - it->body;
  it->head_args = add_args(w, &f->relations.items[w->head], c->head);
  it->variable_count = w->variable_count;
}

static void write_fact(shaper *s, const combination *c) {
  const flat_clause fact = {
      .head = c->head, .body = s->f->literals.count, .source = c->clause, .head_args = c->row};
  vec_push(s->keep, &s->f->clauses, fact);
}

static void write_combination(shaper *s, const combination *c) {
  if (!c->x) {
    write_fact(s, c);
    return;
  }
  writer w = {.s = s, .x = c->x, .head = c->head};
  w.new_names = arena_new_array(s->brief, term_id, c->x->variable_count);
  memset(w.new_names, 0xff, c->x->variable_count * sizeof *w.new_names);
  write_clause(&w);
}

static bool write_clauses(shaper *s) {
  s->f->clauses.count = s->f->literals.count = 0;
  for (uint32_t i = 0; i < s->combinations.count && !s->must_restart; i++) {
    const arena_mark mark = arena_save(s->brief);
    write_combination(s, &s->combinations.items[i]);
    arena_restore(s->brief, mark);
  }
  return !s->must_restart;
}

static void index_by_source(shaper *s) {
  flat_program *f = s->f;
  const uint32_t relations = s->p->relations.count;
  f->relations_from = arena_zero_array(s->keep, uint32_t, relations + 1);
  f->relations_by_source.count = 0;
  for (relation_id r = 0; r < relations; r++) {
    vec_append(s->keep, &f->relations_by_source, s->shapes_of[r].items, s->shapes_of[r].count);
    f->relations_from[r + 1] = f->relations_by_source.count;
  }
}

/* One attempt with the relations that are generic so far. */
static bool attempt(flat_program *f, program *p, uint32_t depth_max, bool *is_generic, arena *keep,
                    budget *limits, diag_sink *d) {
  shaper s = {.f = f,
              .p = p,
              .keep = keep,
              .scratch = arena_new(),
              .brief = arena_new(),
              .d = d,
              .limits = limits,
              .depth_max = depth_max,
              .is_generic = is_generic};
  const bool done = shapes_find(&s) && write_clauses(&s);
  if (done) index_by_source(&s);
  arena_free(s.brief);
  arena_free(s.scratch);
  return done;
}

bool flatten_deep(flat_program *f, program *p, uint32_t depth_max, arena *keep, budget *limits,
                  diag_sink *d) {
  *f = (flat_program){.source = p, .terms = p->terms};
  const uint32_t errors = d->errors;
  bool *is_generic = arena_zero_array(keep, bool, p->relations.count);
  while (!attempt(f, p, depth_max, is_generic, keep, limits, d))
    if (d->errors != errors || budget_is_spent(limits)) return false;
  return d->errors == errors;
}

bool flatten(flat_program *f, program *p, arena *keep, budget *limits, diag_sink *d) {
  return flatten_deep(f, p, SHAPE_DEPTH_USUAL, keep, limits, d);
}

void flat_mark_readers(const flat_program *f, bool *marked) {
  for (bool changed = true; changed;) {
    changed = false;
    for (flat_clause_id c = 0; c < f->clauses.count; c++) {
      const flat_clause *it = &f->clauses.items[c];
      for (uint32_t i = 0; i < it->body_count && !marked[it->head]; i++) {
        const flat_literal *l = &f->literals.items[it->body + i];
        if (l->kind != LITERAL_DISTINCT && marked[l->relation]) marked[it->head] = changed = true;
      }
    }
  }
}
