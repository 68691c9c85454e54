#include "datalog/shapes.h"

#include <assert.h>
#include <string.h>

enum {
  SHAPES_MAX = 64,         /* of one relation; more make it generic */
  COMBINATIONS_MAX = 1024, /* of one clause; more make its most varied relation generic */
};

/* ---- shapes ---- */

static uint64_t shape_hash(term_id skeleton) { return hash_mix(skeleton); }

static uint64_t hash_of_shape(const void *context, uint32_t id) {
  const shaper *s = context;
  return shape_hash(s->f->relations.items[id].skeleton);
}

flat_id shape_find(const shaper *s, term_id skeleton) {
  if (s->shape_index.count == 0) return ID_NONE;
  uint32_t at = id_table_first(&s->shape_index, shape_hash(skeleton));
  for (;; at = id_table_next(&s->shape_index, at)) {
    const flat_id id = s->shape_index.slots[at];
    if (id == ID_NONE || s->f->relations.items[id].skeleton == skeleton) return id;
  }
}

static void index_shape(shaper *s, flat_id id) {
  id_table_reserve(&s->shape_index, s->scratch, hash_of_shape, s);
  uint32_t at = id_table_first(&s->shape_index, hash_of_shape(s, id));
  while (s->shape_index.slots[at] != ID_NONE) at = id_table_next(&s->shape_index, at);
  id_table_put(&s->shape_index, at, id);
}

void shape_make_generic(shaper *s, relation_id r) {
  assert(!s->is_generic[r]);
  s->is_generic[r] = true;
  s->must_restart = true;
}

/* The shape with this skeleton; ID_NONE: the relation has just become generic. */
static flat_id add_shape(shaper *s, relation_id r, term_id skeleton, uint32_t arity,
                         bool is_exact) {
  const flat_id known = shape_find(s, skeleton);
  if (known != ID_NONE) return known;
  if (is_exact && s->shapes_of[r].count == SHAPES_MAX) {
    shape_make_generic(s, r);
    return ID_NONE;
  }
  const flat_relation fresh = {
      .relation = r, .skeleton = skeleton, .arity = arity, .is_exact = is_exact};
  vec_push(s->keep, &s->f->relations, fresh);
  const flat_id id = s->f->relations.count - 1;
  index_shape(s, id);
  vec_push(s->scratch, &s->shapes_of[r], id);
  vec_push(s->scratch, &s->queue, id);
  return id;
}

static term_id generic_skeleton(term_table *t, const relation *r, arena *scratch) {
  term_id *holes = arena_new_array(scratch, term_id, r->arity);
  for (uint32_t i = 0; i < r->arity; i++) holes[i] = term_variable(t, i);
  return term_atom(t, r->name, holes, r->arity);
}

static bool skeleton_of(shaper *s, term_id id, const bool *is_constant, uint32_t *holes,
                        uint32_t depth, term_id *skeleton) {
  term_table *t = s->f->terms;
  const term it = *term_get(t, id);
  if (it.is_variable && !is_constant[it.name]) return false;
  if (it.is_variable || (it.arg_count == 0 && depth > 0)) {
    *skeleton = term_variable(t, (*holes)++);
    return true;
  }
  if (depth > s->depth_max) return false;
  term_id *args = arena_new_array(s->brief, term_id, it.arg_count);
  for (uint32_t i = 0; i < it.arg_count; i++)
    if (!skeleton_of(s, term_arg(t, id, i), is_constant, holes, depth + 1, &args[i])) return false;
  return term_compound(t, it.name, args, it.arg_count, skeleton);
}

bool shape_skeleton(shaper *s, term_id id, const bool *is_constant, uint32_t *holes,
                    term_id *skeleton) {
  *holes = 0;
  return skeleton_of(s, id, is_constant, holes, 0, skeleton);
}

static void report_too_large(shaper *s, const clause *c) {
  const span where =
      c->rule == RULE_NONE ? SPAN_NONE : program_span(s->p, s->p->rules.items[c->rule].node);
  diag_add(s->d, DIAG_E112, where, "a term of this rule is too large");
  s->must_restart = true;
}

static void fit_to_generic(shaper *s, const fitting *x) {
  for (uint32_t i = 0; i < x->positive_count; i++) {
    const relation_id r = s->f->relations.items[x->positives[i].shape].relation;
    if (!s->is_generic[r]) shape_make_generic(s, r);
  }
  if (!s->must_restart) report_too_large(s, x->clause);
}

bool shape_resolve(shaper *s, const fitting *x, term_id id, term_id *made) {
  if (term_resolve(s->f->terms, id, x->bindings, made)) return true;
  fit_to_generic(s, x);
  return false;
}

/* ---- fitting literals to shapes ---- */

static fitting fitting_new(shaper *s, const clause *c) {
  fitting x = {.clause = c,
               .variable_count = c->variable_count,
               .positives = arena_new_array(s->brief, fitted_literal, c->body_count)};
  for (uint32_t i = 0; i < c->body_count; i++) {
    const literal *l = &s->p->literals.items[c->body + i];
    if (l->kind == LITERAL_POSITIVE) x.positives[x.positive_count++].literal = l;
  }
  x.bindings = arena_new_array(s->brief, term_id, c->variable_count);
  memset(x.bindings, 0xff, c->variable_count * sizeof *x.bindings);
  return x;
}

/* A skeleton, or a part of one, with its holes numbered from `first`. */
static term_id renamed_skeleton(shaper *s, term_id skeleton, uint32_t arity, uint32_t first) {
  term_id *names = arena_new_array(s->brief, term_id, arity);
  for (uint32_t i = 0; i < arity; i++) names[i] = term_variable(s->f->terms, first + i);
  return term_relabel(s->f->terms, skeleton, names);
}

/* Unifies an atom, or a part of one, with a skeleton whose holes are new variables from `first` on:
   each is in one place, so none of them has a value before. */
static bool fit_term(shaper *s, fitting *x, term_id skeleton, term_id atom, uint32_t arity,
                     uint32_t first) {
  term_table *t = s->f->terms;
  const term shape = *term_get(t, skeleton);
  atom = term_representative(t, atom, x->bindings);
  if (shape.is_variable) {
    x->bindings[first + shape.name] = atom;
    return true;
  }
  const term it = *term_get(t, atom);
  if (it.is_variable) {
    x->bindings[it.name] = renamed_skeleton(s, skeleton, arity, first);
    return true;
  }
  if (shape.name != it.name || shape.arg_count != it.arg_count) return false;
  for (uint32_t i = 0; i < it.arg_count; i++)
    if (!fit_term(s, x, term_arg(t, skeleton, i), term_arg(t, atom, i), arity, first)) return false;
  return true;
}

/* False: names tell that the atom, whatever its variables stand for, is of another shape.  Most
   are, and to fit one costs much more. */
static bool can_fit(const shaper *s, flat_id shape, term_id atom) {
  const term_table *t = s->f->terms;
  const term_id skeleton = s->f->relations.items[shape].skeleton;
  for (uint32_t i = 0; i < term_get(t, atom)->arg_count; i++) {
    const term *part = term_get(t, term_arg(t, skeleton, i));
    const term *arg = term_get(t, term_arg(t, atom, i));
    if (part->is_variable || arg->is_variable) continue;
    if (part->name != arg->name || part->arg_count != arg->arg_count) return false;
  }
  return true;
}

/* What is in a hole of a literal's shape; TERM_NONE where nothing is bound to it. */
static term_id hole_value(const shaper *s, const fitting *x, uint32_t hole) {
  const term_id value = x->bindings[hole];
  return value == TERM_NONE ? TERM_NONE : term_representative(s->f->terms, value, x->bindings);
}

static bool holes_hold_no_compound(const shaper *s, const fitting *x, const fitted_literal *l) {
  const flat_relation *r = &s->f->relations.items[l->shape];
  if (!r->is_exact) return true;
  for (uint32_t i = 0; i < r->arity; i++) {
    const term_id it = hole_value(s, x, l->first_hole + i);
    if (it != TERM_NONE && term_get(s->f->terms, it)->arg_count > 0) return false;
  }
  return true;
}

/* Fits positive literal `i` to a shape; `x` is changed only on success. */
static bool fitting_add(shaper *s, fitting *x, uint32_t i, flat_id shape) {
  const flat_relation *r = &s->f->relations.items[shape];
  const uint32_t first = x->variable_count;
  const uint32_t count = first + r->arity;
  term_id *bindings = arena_new_array(s->brief, term_id, count);
  memcpy(bindings, x->bindings, first * sizeof *bindings);
  memset(bindings + first, 0xff, r->arity * sizeof *bindings);
  const fitting before = *x;
  x->bindings = bindings;
  x->variable_count = count;
  fitted_literal *l = &x->positives[i];
  l->shape = shape;
  l->first_hole = first;
  if (fit_term(s, x, r->skeleton, l->literal->atom, r->arity, first) &&
      holes_hold_no_compound(s, x, l))
    return true;
  *x = before;
  return false;
}

static void mark_variable(void *marks, uint32_t number) { ((bool *)marks)[number] = true; }

/* Marks the variables that holes bind; among them those that only constants can fill.  A hole of a
   generic relation may hold a pattern, which binds all its variables.  False: one is too large. */
static bool mark_holes(shaper *s, fitting *x) {
  term_table *t = s->f->terms;
  x->is_bound = arena_zero_array(s->brief, bool, x->variable_count);
  x->is_constant = arena_zero_array(s->brief, bool, x->variable_count);
  for (uint32_t i = 0; i < x->positive_count; i++) {
    const fitted_literal *l = &x->positives[i];
    const flat_relation *r = &s->f->relations.items[l->shape];
    for (uint32_t hole = l->first_hole; hole < l->first_hole + r->arity; hole++) {
      const term_id value = hole_value(s, x, hole);
      term_id it = term_variable(t, hole);
      if (value != TERM_NONE && !shape_resolve(s, x, value, &it)) return false;
      term_each_variable(t, it, mark_variable, x->is_bound);
      if (r->is_exact) term_each_variable(t, it, mark_variable, x->is_constant);
    }
  }
  return true;
}

/* ---- facts ---- */

/* Facts are most clauses of a game, and they need no fitting. */
static bool is_fact(const shaper *s, const clause *c) {
  return c->body_count == 0 && term_is_ground(s->f->terms, c->head);
}

/* False: the fact is of another shape. */
static bool note_fact(shaper *s, clause_id id, flat_id shape) {
  flat_program *f = s->f;
  const uint32_t arity = f->relations.items[shape].arity;
  vec_reserve(s->keep, &f->args, arity);
  const combination c = {.clause = id, .head = shape, .row = f->args.count};
  if (!flat_match(f, shape, s->p->clauses.items[id].head, f->args.items + c.row)) return false;
  f->args.count += arity;
  vec_push(s->scratch, &s->combinations, c);
  return true;
}

static void conclude_fact(shaper *s, clause_id id) {
  const term_id atom = s->p->clauses.items[id].head;
  const relation_id r = atom_relation(s->p, atom);
  for (uint32_t i = 0; i < s->shapes_of[r].count; i++)
    if (note_fact(s, id, s->shapes_of[r].items[i])) return;
  uint32_t holes;
  term_id skeleton;
  if (!shape_skeleton(s, atom, NULL, &holes, &skeleton)) {
    shape_make_generic(s, r);
    return;
  }
  const flat_id fresh = add_shape(s, r, skeleton, holes, true);
  if (fresh != ID_NONE) note_fact(s, id, fresh);
}

/* ---- finding all shapes ---- */

static void *copied(const void *bytes, size_t size, arena *to) {
  return memcpy(arena_alloc(to, size), bytes, size);
}

static const fitting *fitting_kept(const fitting *x, arena *keep) {
  const uint32_t variables = x->variable_count;
  fitting *copy = copied(x, sizeof *x, keep);
  copy->positives = copied(x->positives, x->positive_count * sizeof *x->positives, keep);
  copy->bindings = copied(x->bindings, variables * sizeof *x->bindings, keep);
  copy->is_bound = copied(x->is_bound, variables * sizeof *x->is_bound, keep);
  copy->is_constant = copied(x->is_constant, variables * sizeof *x->is_constant, keep);
  return copy;
}

static void note_combination(shaper *s, const fitting *x) {
  const combination c = {.clause = (clause_id)(x->clause - s->p->clauses.items),
                         .head = ID_NONE,
                         .x = fitting_kept(x, s->scratch)};
  vec_push(s->scratch, &s->combinations, c);
  if (++s->combinations_of[c.clause] < COMBINATIONS_MAX) return;
  relation_id most = RELATION_NONE;
  for (uint32_t i = 0; i < x->positive_count; i++) {
    const relation_id r = s->f->relations.items[x->positives[i].shape].relation;
    if (s->is_generic[r]) continue;
    if (most == RELATION_NONE || s->shapes_of[r].count > s->shapes_of[most].count) most = r;
  }
  if (most != RELATION_NONE) shape_make_generic(s, most);
}

static void conclude(shaper *s, fitting *x) {
  for (uint32_t i = 0; i < x->positive_count; i++)
    if (!holes_hold_no_compound(s, x, &x->positives[i])) return;
  if (!mark_holes(s, x)) return;
  note_combination(s, x);
  if (s->must_restart) return;
  const relation_id r = atom_relation(s->p, x->clause->head);
  flat_id *shape = &vec_last(&s->combinations).head;
  if (s->is_generic[r]) {
    *shape = s->shapes_of[r].items[0];
    return;
  }
  uint32_t holes;
  term_id head, skeleton;
  if (term_resolve(s->f->terms, x->clause->head, x->bindings, &head) &&
      shape_skeleton(s, head, x->is_constant, &holes, &skeleton))
    *shape = add_shape(s, r, skeleton, holes, true);
  else
    shape_make_generic(s, r);
}

/* Fits the literals from `i` on in every way; literal `fixed` has its shape already.  Before it
   stand shapes that have been joined, the newest included; behind it only older ones. */
static void fit_from(shaper *s, fitting *x, uint32_t i, uint32_t fixed) {
  if (s->must_restart || budget_is_spent(s->limits)) return;
  if (i == x->positive_count) {
    conclude(s, x);
    return;
  }
  if (i == fixed) {
    fit_from(s, x, i + 1, fixed);
    return;
  }
  const term_id atom = x->positives[i].literal->atom;
  const relation_id r = atom_relation(s->p, atom);
  const bool includes_newest =
      i < fixed && r == atom_relation(s->p, x->positives[fixed].literal->atom);
  const uint32_t limit = s->shapes_done[r] + includes_newest;
  for (uint32_t k = 0; k < limit && !s->must_restart; k++) {
    const flat_id shape = s->shapes_of[r].items[k];
    if (!can_fit(s, shape, atom)) continue;
    fitting copy = *x;
    if (fitting_add(s, &copy, i, shape)) fit_from(s, &copy, i + 1, fixed);
  }
}

static uint32_t positive_index(const fitting *x, const literal *l) {
  uint32_t i = 0;
  while (x->positives[i].literal != l) i++;
  return i;
}

/* The relation has its first shape. */
static void end_waiting_for(shaper *s, relation_id r) {
  for (uint32_t o = s->occurrences_from[r]; o < s->occurrences_from[r + 1]; o++)
    s->waits_for[s->occurrences.items[o].clause]--;
}

static void join_shape(shaper *s, flat_id shape) {
  const relation_id r = s->f->relations.items[shape].relation;
  if (s->shapes_done[r] == 0) end_waiting_for(s, r);
  for (uint32_t o = s->occurrences_from[r]; o < s->occurrences_from[r + 1] && !s->must_restart;
       o++) {
    const occurrence it = s->occurrences.items[o];
    const literal *l = &s->p->literals.items[it.literal];
    if (s->waits_for[it.clause] || !can_fit(s, shape, l->atom)) continue;
    const arena_mark mark = arena_save(s->brief);
    fitting x = fitting_new(s, &s->p->clauses.items[it.clause]);
    const uint32_t at = positive_index(&x, l);
    if (fitting_add(s, &x, at, shape)) fit_from(s, &x, 0, at);
    arena_restore(s->brief, mark);
  }
  s->shapes_done[r]++;
}

static void conclude_without_positives(shaper *s) {
  for (clause_id id = 0; id < s->p->clauses.count && !s->must_restart; id++) {
    const clause *c = &s->p->clauses.items[id];
    if (s->waits_for[id]) continue;
    const arena_mark mark = arena_save(s->brief);
    if (is_fact(s, c)) {
      conclude_fact(s, id);
    } else {
      fitting x = fitting_new(s, c);
      conclude(s, &x);
    }
    arena_restore(s->brief, mark);
  }
}

static void collect_occurrences(shaper *s) {
  const program *p = s->p;
  s->occurrences_from = arena_zero_array(s->scratch, uint32_t, p->relations.count + 1);
  s->waits_for = arena_zero_array(s->scratch, uint32_t, p->clauses.count);
  for (int pass = 0; pass < 2; pass++) {
    for (clause_id c = 0; c < p->clauses.count; c++) {
      const clause *it = &p->clauses.items[c];
      for (uint32_t l = it->body; l < it->body + it->body_count; l++) {
        if (p->literals.items[l].kind != LITERAL_POSITIVE) continue;
        const relation_id r = atom_relation(p, p->literals.items[l].atom);
        if (pass == 0) {
          s->occurrences_from[r]++;
          s->waits_for[c]++;
        } else {
          s->occurrences.items[--s->occurrences_from[r]] = (occurrence){c, l};
        }
      }
    }
    if (pass == 1) break;
    for (relation_id r = 0; r < p->relations.count; r++)
      s->occurrences_from[r + 1] += s->occurrences_from[r];
    vec_reserve(s->scratch, &s->occurrences, s->occurrences_from[p->relations.count]);
  }
}

static void add_generic_shapes(shaper *s) {
  for (relation_id r = 0; r < s->p->relations.count; r++) {
    if (!s->is_generic[r]) continue;
    const relation *it = &s->p->relations.items[r];
    add_shape(s, r, generic_skeleton(s->f->terms, it, s->scratch), it->arity, false);
  }
}

bool shapes_find(shaper *s) {
  const uint32_t relations = s->p->relations.count;
  s->must_restart = false;
  s->f->relations.count = s->f->args.count = 0;
  vec_reserve(s->keep, &s->f->args, 1); /* no arguments have an address too */
  s->shapes_of = arena_zero_array(s->scratch, id_vec, relations);
  s->shapes_done = arena_zero_array(s->scratch, uint32_t, relations);
  s->combinations_of = arena_zero_array(s->scratch, uint32_t, s->p->clauses.count);
  s->is_reported = arena_zero_array(s->scratch, bool, s->p->clauses.count);
  collect_occurrences(s);
  add_generic_shapes(s);
  conclude_without_positives(s);
  for (uint32_t i = 0; i < s->queue.count && !s->must_restart; i++) {
    if (budget_is_spent(s->limits)) return false;
    join_shape(s, s->queue.items[i]);
  }
  return !s->must_restart;
}
