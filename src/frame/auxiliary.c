#include "frame/auxiliary.h"

#include <string.h>

/* A name that an earlier translation made is free again: it is not in the text. */
static bool is_in_rulesheet(const program *p, slice name) {
  const symbol_id s = symbol_find(p->symbols, name);
  if (s == SYM_NONE || !p->tree) return s != SYM_NONE;
  for (node_id n = 0; n < p->tree->nodes.count; n++)
    if (tree_node(p->tree, n)->symbol == s) return true;
  return false;
}

symbol_id frame_fresh_name(const program *p, const char *stem, uint32_t *number) {
  for (;; (*number)++) {
    char name[40];
    const int length = *number ? snprintf(name, sizeof name, "%s%u", stem, *number)
                               : snprintf(name, sizeof name, "%s", stem);
    const slice s = {name, (size_t)length};
    if (!is_in_rulesheet(p, s)) return symbol_intern(p->symbols, s);
  }
}

/* ---- renumbering variables ---- */

renumbering renumbering_new(term_table *t, uint32_t bound, arena *keep) {
  return (renumbering){.t = t, .bindings = frame_bindings(keep, bound)};
}

static void number_variable(void *context, uint32_t variable) {
  renumbering *r = context;
  if (r->bindings[variable] == TERM_NONE) r->bindings[variable] = term_variable(r->t, r->count++);
}

/* Visiting makes terms, which moves what is visited: so variables are collected first. */
term_id renumber(renumbering *r, term_id id) {
  arena *scratch = arena_new();
  id_vec variables = {0};
  frame_add_variables(r->t, id, &variables, scratch);
  for (uint32_t i = 0; i < variables.count; i++) number_variable(r, variables.items[i]);
  arena_free(scratch);
  return term_relabel(r->t, id, r->bindings);
}

condition renumber_condition(renumbering *r, condition c) {
  return condition_of(r->t, c.kind, renumber(r, c.atom));
}

/* ---- one relation ---- */

typedef struct aux_draft {
  const case_context *s;
  uint32_t own;
  arena *scratch;
  id_vec outer;      /* variables of the context that occur */
  term_id *bindings; /* what EQUAL conditions give them */
  uint32_t bound;
  condition_vec body;
  bool is_too_large; /* some term */
} aux_draft;

static void note_outer(aux_draft *d, term_id atom) {
  id_vec found = {0};
  frame_add_variables(d->s->x->p->terms, atom, &found, d->scratch);
  for (uint32_t i = 0; i < found.count; i++) {
    const term_id v = term_variable(d->s->x->p->terms, found.items[i]);
    if (found.items[i] < d->own) frame_add_variables(d->s->x->p->terms, v, &d->outer, d->scratch);
  }
}

/* Solves the equalities, so that they stand in the head. */
static bool solve(aux_draft *d, const condition_vec *conditions) {
  term_table *t = d->s->x->p->terms;
  for (uint32_t i = 0; i < conditions->count; i++) {
    const condition *c = &conditions->items[i];
    if (c->kind == CONDITION_EQUAL &&
        !term_unify(t, term_arg(t, c->atom, 0), term_arg(t, c->atom, 1), d->bindings))
      return false;
  }
  for (uint32_t i = 0; i < conditions->count; i++) {
    condition c = conditions->items[i];
    if (c.kind == CONDITION_EQUAL) continue;
    if (!term_resolve(t, c.atom, d->bindings, &c.atom)) return false;
    vec_push(d->scratch, &d->body, condition_of(t, c.kind, c.atom));
  }
  return true;
}

/* Variables that positive conditions bind. */
static id_vec bound_variables(const aux_draft *d) {
  id_vec bound = {0};
  for (uint32_t i = 0; i < d->body.count; i++)
    if (d->body.items[i].kind == CONDITION_HOLDS)
      frame_add_variables(d->s->x->p->terms, d->body.items[i].atom, &bound, d->scratch);
  return bound;
}

/* Adds an atom of the context, if it binds a variable of `open` that nothing binds yet. */
static void guard_with(aux_draft *d, term_id atom, const id_vec *open) {
  term_table *t = d->s->x->p->terms;
  const id_vec bound = bound_variables(d);
  id_vec own = {0};
  if (!term_resolve(t, atom, d->bindings, &atom)) {
    d->is_too_large = true;
    return;
  }
  frame_add_variables(t, atom, &own, d->scratch);
  for (uint32_t i = 0; i < open->count; i++) {
    const term_id v = term_variable(t, open->items[i]);
    if (frame_has_variables(t, v, &bound) || !frame_has_variables(t, v, &own)) continue;
    const condition guard = {CONDITION_HOLDS, atom};
    vec_push(d->scratch, &d->body, guard);
    return;
  }
}

static void guard(aux_draft *d, term_id head) {
  term_table *t = d->s->x->p->terms;
  id_vec open = {0};
  frame_add_variables(t, head, &open, d->scratch);
  for (uint32_t i = 0; i < d->body.count; i++)
    frame_add_variables(t, d->body.items[i].atom, &open, d->scratch);
  for (uint32_t r = 0; r < d->s->x->c->role_count; r++)
    guard_with(d, context_move_atom(d->s, r), &open);
  guard_with(d, context_fluent_atom(d->s), &open);
}

/* ---- all of them ---- */

static bool is_same_body(const condition_vec *a, const condition_vec *b) {
  if (a->count != b->count) return false;
  for (uint32_t i = 0; i < a->count; i++)
    if (a->items[i].kind != b->items[i].kind || a->items[i].atom != b->items[i].atom) return false;
  return true;
}

static bool has_args(const term_table *t, term_id head, const term_id *args, uint32_t count) {
  if (term_get(t, head)->arg_count != count) return false;
  for (uint32_t i = 0; i < count; i++)
    if (term_arg(t, head, i) != args[i]) return false;
  return true;
}

/* The name of a relation with these arguments and this body. */
static symbol_id name_of_definition(auxiliaries *x, const program *p, const term_id *args,
                                    uint32_t count, const condition_vec *body,
                                    uint32_t variable_count) {
  for (uint32_t i = 0; i < x->all.count; i++)
    if (has_args(p->terms, x->all.items[i].head, args, count) &&
        is_same_body(&x->all.items[i].body, body))
      return term_get(p->terms, x->all.items[i].head)->name;
  x->names++;
  const symbol_id name = frame_fresh_name(p, "keeps", &x->names);
  const auxiliary fresh = {.head = term_atom(p->terms, name, args, count),
                           .body = *body,
                           .variable_count = variable_count};
  vec_push(x->keep, &x->all, fresh);
  return name;
}

/* The arguments under the bindings.  False: there are too many, or one is too large. */
static bool resolve_outer(const aux_draft *d, const term_id *args, term_id *values) {
  if (d->outer.count > TERM_ARGS_MAX) return false;
  for (uint32_t i = 0; i < d->outer.count; i++)
    if (!term_resolve(d->s->x->p->terms, args[i], d->bindings, &values[i])) return false;
  return true;
}

/* The relation of the draft, whose arguments have these values. */
static symbol_id define(auxiliaries *x, aux_draft *d, term_id *values) {
  const program *p = d->s->x->p;
  renumbering r = renumbering_new(p->terms, d->bound, d->scratch);
  condition_vec body = {0};
  for (uint32_t i = 0; i < d->outer.count; i++) values[i] = renumber(&r, values[i]);
  for (uint32_t i = 0; i < d->body.count; i++)
    vec_push(x->keep, &body, renumber_condition(&r, d->body.items[i]));
  return name_of_definition(x, p, values, d->outer.count, &body, r.count);
}

static void begin_draft(aux_draft *d, const condition_vec *conditions) {
  for (uint32_t i = 0; i < conditions->count; i++) {
    note_outer(d, conditions->items[i].atom);
    d->bound = frame_variable_bound(d->s->x->p->terms, conditions->items[i].atom, d->bound);
  }
  d->bindings = frame_bindings(d->scratch, d->bound);
}

bool auxiliary_for(auxiliaries *x, const case_context *s, const condition_vec *conditions,
                   uint32_t own, term_id *atom) {
  term_table *t = s->x->p->terms;
  aux_draft d = {.s = s, .own = own, .scratch = arena_new(), .bound = own};
  begin_draft(&d, conditions);
  term_id *args = arena_new_array(d.scratch, term_id, d.outer.count + 1);
  term_id *values = arena_new_array(d.scratch, term_id, d.outer.count + 1);
  for (uint32_t i = 0; i < d.outer.count; i++) args[i] = term_variable(t, d.outer.items[i]);
  d.is_too_large = !solve(&d, conditions) || !resolve_outer(&d, args, values);
  if (!d.is_too_large) guard(&d, term_atom(t, SYM_TRUE, values, d.outer.count));
  if (!d.is_too_large) *atom = term_atom(t, define(x, &d, values), args, d.outer.count);
  const bool is_made = !d.is_too_large;
  arena_free(d.scratch);
  return is_made;
}
