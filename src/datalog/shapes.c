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
  vec_reserve(s->scratch, &s->row, arity + 1);
  index_shape(s, id);
  vec_push(s->scratch, &s->shapes_of[r], id);
  vec_push(s->scratch, &s->queue, id);
  return id;
}

static term_id generic_skeleton(term_table *t, const relation *r, arena *scratch) {
  term_id *holes = arena_new_array(scratch, term_id, r->arity);
  for (uint32_t i = 0; i < r->arity; i++) holes[i] = term_variable(t, i);
  return term_compound(t, r->name, holes, r->arity);
}

term_id shape_skeleton(shaper *s, term_id id, const bool *is_constant, uint32_t *holes,
                       uint32_t depth) {
  term_table *t = s->f->terms;
  const term it = *term_get(t, id);
  if (it.is_variable && !is_constant[it.name]) return TERM_NONE;
  if (it.is_variable || (it.arg_count == 0 && depth > 0)) return term_variable(t, (*holes)++);
  if (depth > s->depth_max) return TERM_NONE;
  term_id *args = arena_new_array(s->brief, term_id, it.arg_count);
  for (uint32_t i = 0; i < it.arg_count; i++) {
    args[i] = shape_skeleton(s, term_arg(t, id, i), is_constant, holes, depth + 1);
    if (args[i] == TERM_NONE) return TERM_NONE;
  }
  return term_compound(t, it.name, args, it.arg_count);
}

/* ---- fitting literals to shapes ---- */

static uint32_t count_positives(const program *p, const clause *c) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < c->body_count; i++)
    count += p->literals.items[c->body + i].kind == LITERAL_POSITIVE;
  return count;
}

fitting fitting_new(shaper *s, const clause *c) {
  const uint32_t count = count_positives(s->p, c);
  fitting x = {.clause = c,
               .variable_count = c->variable_count,
               .positive_count = count,
               .shapes = arena_new_array(s->brief, flat_id, count),
               .first_hole = arena_new_array(s->brief, uint32_t, count),
               .positives = arena_new_array(s->brief, const literal *, count)};
  uint32_t next = 0;
  for (uint32_t i = 0; i < c->body_count; i++) {
    const literal *l = &s->p->literals.items[c->body + i];
    if (l->kind == LITERAL_POSITIVE) x.positives[next++] = l;
  }
  x.bindings = arena_new_array(s->brief, term_id, c->variable_count);
  memset(x.bindings, 0xff, c->variable_count * sizeof *x.bindings);
  return x;
}

/* A skeleton, or a part of one, with its holes numbered from `first`. */
static term_id renamed_skeleton(shaper *s, term_id skeleton, uint32_t arity, uint32_t first) {
  term_id *names = arena_new_array(s->brief, term_id, arity);
  for (uint32_t i = 0; i < arity; i++) names[i] = term_variable(s->f->terms, first + i);
  return term_substitute(s->f->terms, skeleton, names);
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

/* What is in a hole of a literal's shape; TERM_NONE where nothing is bound to it. */
static term_id hole_value(const shaper *s, const fitting *x, uint32_t literal_index,
                          uint32_t hole) {
  const term_id value = x->bindings[x->first_hole[literal_index] + hole];
  return value == TERM_NONE ? TERM_NONE : term_representative(s->f->terms, value, x->bindings);
}

static bool holes_hold_no_compound(const shaper *s, const fitting *x, uint32_t literal_index) {
  const flat_relation *r = &s->f->relations.items[x->shapes[literal_index]];
  if (!r->is_exact) return true;
  for (uint32_t i = 0; i < r->arity; i++) {
    const term_id it = hole_value(s, x, literal_index, i);
    if (it != TERM_NONE && term_get(s->f->terms, it)->arg_count > 0) return false;
  }
  return true;
}

bool fitting_add(shaper *s, fitting *x, uint32_t i, flat_id shape) {
  const flat_relation *r = &s->f->relations.items[shape];
  const uint32_t first = x->variable_count;
  const uint32_t count = first + r->arity;
  term_id *bindings = arena_new_array(s->brief, term_id, count);
  memcpy(bindings, x->bindings, first * sizeof *bindings);
  memset(bindings + first, 0xff, r->arity * sizeof *bindings);
  const fitting before = *x;
  x->bindings = bindings;
  x->variable_count = count;
  x->shapes[i] = shape;
  x->first_hole[i] = first;
  if (fit_term(s, x, r->skeleton, x->positives[i]->atom, r->arity, first) &&
      holes_hold_no_compound(s, x, i))
    return true;
  *x = before;
  return false;
}

static void mark_variable(void *marks, uint32_t number) { ((bool *)marks)[number] = true; }

void fitting_mark_holes(const shaper *s, const fitting *x, bool *is_bound, bool *is_constant) {
  term_table *t = s->f->terms;
  for (uint32_t i = 0; i < x->positive_count; i++) {
    const flat_relation *r = &s->f->relations.items[x->shapes[i]];
    for (uint32_t h = 0; h < r->arity; h++) {
      const term_id value = hole_value(s, x, i, h);
      const uint32_t hole = x->first_hole[i] + h;
      const term_id it =
          value == TERM_NONE ? term_variable(t, hole) : term_resolve(t, value, x->bindings);
      if (it == TERM_NONE) continue;
      term_each_variable(t, it, mark_variable, is_bound);
      if (r->is_exact) term_each_variable(t, it, mark_variable, is_constant);
    }
  }
}

/* ---- facts ---- */

bool clause_is_fact(const shaper *s, const clause *c) {
  return c->body_count == 0 && term_is_ground(s->f->terms, c->head);
}

flat_id shape_of_fact(const shaper *s, term_id atom, term_id *row) {
  const id_vec *shapes = &s->shapes_of[atom_relation(s->p, atom)];
  for (uint32_t i = 0; i < shapes->count; i++) {
    if (flat_match(s->f, shapes->items[i], atom, row)) return shapes->items[i];
  }
  return ID_NONE;
}

static void conclude_fact(shaper *s, clause_id id) {
  const term_id atom = s->p->clauses.items[id].head;
  const combination c = {id, s->chosen.count, ID_NONE};
  vec_push(s->scratch, &s->combinations, c);
  if (shape_of_fact(s, atom, s->row.items) != ID_NONE) return;
  const relation_id r = atom_relation(s->p, atom);
  uint32_t holes = 0;
  const term_id skeleton = shape_skeleton(s, atom, NULL, &holes, 0);
  if (skeleton == TERM_NONE)
    shape_make_generic(s, r);
  else
    add_shape(s, r, skeleton, holes, true);
}

/* ---- finding all shapes ---- */

static void note_combination(shaper *s, const fitting *x) {
  const combination c = {(clause_id)(x->clause - s->p->clauses.items), s->chosen.count, ID_NONE};
  vec_append(s->scratch, &s->chosen, x->shapes, x->positive_count);
  vec_push(s->scratch, &s->combinations, c);
  if (++s->combinations_of[c.clause] < COMBINATIONS_MAX) return;
  relation_id most = RELATION_NONE;
  for (uint32_t i = 0; i < x->positive_count; i++) {
    const relation_id r = s->f->relations.items[x->shapes[i]].relation;
    if (s->is_generic[r]) continue;
    if (most == RELATION_NONE || s->shapes_of[r].count > s->shapes_of[most].count) most = r;
  }
  if (most != RELATION_NONE) shape_make_generic(s, most);
}

static void conclude(shaper *s, fitting *x) {
  bool *is_bound = arena_zero_array(s->brief, bool, x->variable_count);
  bool *is_constant = arena_zero_array(s->brief, bool, x->variable_count);
  for (uint32_t i = 0; i < x->positive_count; i++)
    if (!holes_hold_no_compound(s, x, i)) return;
  fitting_mark_holes(s, x, is_bound, is_constant);
  note_combination(s, x);
  if (s->must_restart) return;
  const relation_id r = atom_relation(s->p, x->clause->head);
  flat_id *shape = &vec_last(&s->combinations).head;
  if (s->is_generic[r]) {
    *shape = s->shapes_of[r].items[0];
    return;
  }
  const term_id head = term_resolve(s->f->terms, x->clause->head, x->bindings);
  uint32_t holes = 0;
  const term_id skeleton =
      head == TERM_NONE ? TERM_NONE : shape_skeleton(s, head, is_constant, &holes, 0);
  if (skeleton == TERM_NONE)
    shape_make_generic(s, r);
  else
    *shape = add_shape(s, r, skeleton, holes, true);
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
  const relation_id r = atom_relation(s->p, x->positives[i]->atom);
  const bool includes_newest = i < fixed && r == atom_relation(s->p, x->positives[fixed]->atom);
  const uint32_t limit = s->shapes_done[r] + includes_newest;
  for (uint32_t k = 0; k < limit && !s->must_restart; k++) {
    fitting copy = *x;
    if (fitting_add(s, &copy, i, s->shapes_of[r].items[k])) fit_from(s, &copy, i + 1, fixed);
  }
}

static uint32_t positive_index(const fitting *x, const literal *l) {
  uint32_t i = 0;
  while (x->positives[i] != l) i++;
  return i;
}

static void join_shape(shaper *s, flat_id shape) {
  const relation_id r = s->f->relations.items[shape].relation;
  for (uint32_t o = s->occurrences_from[r]; o < s->occurrences_from[r + 1] && !s->must_restart;
       o++) {
    const arena_mark mark = arena_save(s->brief);
    fitting x = fitting_new(s, &s->p->clauses.items[s->occurrences.items[o].clause]);
    const uint32_t at = positive_index(&x, &s->p->literals.items[s->occurrences.items[o].literal]);
    if (fitting_add(s, &x, at, shape)) fit_from(s, &x, 0, at);
    arena_restore(s->brief, mark);
  }
  s->shapes_done[r]++;
}

static void conclude_without_positives(shaper *s) {
  for (clause_id id = 0; id < s->p->clauses.count && !s->must_restart; id++) {
    const clause *c = &s->p->clauses.items[id];
    if (count_positives(s->p, c) > 0) continue;
    const arena_mark mark = arena_save(s->brief);
    if (clause_is_fact(s, c)) {
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
  for (int pass = 0; pass < 2; pass++) {
    for (clause_id c = 0; c < p->clauses.count; c++) {
      const clause *it = &p->clauses.items[c];
      for (uint32_t l = it->body; l < it->body + it->body_count; l++) {
        if (p->literals.items[l].kind != LITERAL_POSITIVE) continue;
        const relation_id r = atom_relation(p, p->literals.items[l].atom);
        if (pass == 0)
          s->occurrences_from[r]++;
        else
          s->occurrences.items[--s->occurrences_from[r]] = (occurrence){c, l};
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
  s->f->relations.count = 0;
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
