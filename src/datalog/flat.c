#include "datalog/flat.h"

#include <assert.h>
#include <string.h>

enum {
  SHAPE_DEPTH_USUAL = 8,   /* deeper atoms make their relation generic */
  SHAPES_MAX = 64,         /* of one relation; more make it generic */
  COMBINATIONS_MAX = 1024, /* of one clause; more make its most varied relation generic */
};

/* A positive literal, or more exactly where one stands. */
typedef struct occurrence {
  clause_id clause;
  uint32_t literal; /* in program.literals */
} occurrence;

/* A clause with a shape for each of its positive literals. */
typedef struct combination {
  clause_id clause;
  uint32_t shapes; /* in shaper.chosen */
  flat_id head;    /* the shape of its head */
} combination;

typedef struct shaper {
  flat_program *f;
  program *p;
  arena *keep;
  arena *scratch; /* lives as long as one attempt */
  arena *brief;   /* marked and rewound for each clause */
  diag_sink *d;
  budget *limits;
  uint32_t depth_max;   /* deeper atoms make their relation generic */
  bool *is_generic;     /* by relation */
  bool must_restart;    /* a relation has just become generic */
  id_vec *shapes_of;    /* by relation: flat relations in the order found */
  uint32_t *shapes_done; /* by relation: how many of them have been joined */
  id_vec queue;          /* shapes that wait to be joined */
  id_table shape_index; /* skeleton -> flat relation */
  uint32_t *occurrences_from; /* by relation */
  VEC(occurrence) occurrences;
  VEC(combination) combinations;
  id_vec chosen;
  uint32_t *combinations_of; /* by clause: how many */
  bool *is_reported;         /* by clause: its fault is known */
  id_vec row;                /* room for the row of any shape */
} shaper;

/* The bindings of one clause while its literals are fitted to shapes.  Variables of the clause
   come first, then the holes of each literal's shape. */
typedef struct fitting {
  const clause *clause;
  term_id *bindings;
  uint32_t variable_count;
  flat_id *shapes;      /* by positive literal */
  uint32_t *first_hole; /* by positive literal */
  const literal **positives;
  uint32_t positive_count;
} fitting;

/* ---- shapes ---- */

static uint64_t shape_hash(term_id skeleton) { return hash_mix(skeleton); }

static uint64_t hash_of_shape(const void *context, uint32_t id) {
  const shaper *s = context;
  return shape_hash(s->f->relations.items[id].skeleton);
}

static flat_id find_shape(const shaper *s, term_id skeleton) {
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

static void make_generic(shaper *s, relation_id r) {
  assert(!s->is_generic[r]);
  s->is_generic[r] = true;
  s->must_restart = true;
}

/* The shape with this skeleton; ID_NONE: the relation has just become generic. */
static flat_id add_shape(shaper *s, relation_id r, term_id skeleton, uint32_t arity, bool is_exact) {
  const flat_id known = find_shape(s, skeleton);
  if (known != ID_NONE) return known;
  if (is_exact && s->shapes_of[r].count == SHAPES_MAX) {
    make_generic(s, r);
    return ID_NONE;
  }
  const flat_relation fresh = {.relation = r, .skeleton = skeleton, .arity = arity,
                               .is_exact = is_exact};
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

/* `id` with every constant and variable replaced by the next hole.  `is_constant` tells which
   variables stand for constants alone; any other makes the result TERM_NONE. */
static term_id skeleton_of(shaper *s, term_id id, const bool *is_constant, uint32_t *holes,
                           uint32_t depth) {
  term_table *t = s->f->terms;
  const term it = *term_get(t, id);
  if (it.is_variable && !is_constant[it.name]) return TERM_NONE;
  if (it.is_variable || (it.arg_count == 0 && depth > 0)) return term_variable(t, (*holes)++);
  if (depth > s->depth_max) return TERM_NONE;
  term_id *args = arena_new_array(s->brief, term_id, it.arg_count);
  for (uint32_t i = 0; i < it.arg_count; i++) {
    args[i] = skeleton_of(s, term_arg(t, id, i), is_constant, holes, depth + 1);
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

static fitting fitting_new(shaper *s, const clause *c) {
  const uint32_t count = count_positives(s->p, c);
  fitting x = {.clause = c, .variable_count = c->variable_count, .positive_count = count,
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
static term_id hole_value(const shaper *s, const fitting *x, uint32_t literal_index, uint32_t hole) {
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

/* Fits positive literal `i` to a shape; `x` is changed only on success. */
static bool fit(shaper *s, fitting *x, uint32_t i, flat_id shape) {
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

/* Marks the variables that holes bind; among them those that only constants can fill.  A hole of a
   generic relation may hold a pattern, which binds all its variables. */
static void mark_holes(const shaper *s, const fitting *x, bool *is_bound, bool *is_constant) {
  term_table *t = s->f->terms;
  for (uint32_t i = 0; i < x->positive_count; i++) {
    const flat_relation *r = &s->f->relations.items[x->shapes[i]];
    for (uint32_t h = 0; h < r->arity; h++) {
      const term_id value = hole_value(s, x, i, h);
      const uint32_t hole = x->first_hole[i] + h;
      const term_id it = value == TERM_NONE ? term_variable(t, hole)
                                            : term_resolve(t, value, x->bindings);
      if (it == TERM_NONE) continue;
      term_each_variable(t, it, mark_variable, is_bound);
      if (r->is_exact) term_each_variable(t, it, mark_variable, is_constant);
    }
  }
}

/* ---- facts: most clauses of a game, and they need no fitting ---- */

static bool is_fact(const shaper *s, const clause *c) {
  return c->body_count == 0 && term_is_ground(s->f->terms, c->head);
}

/* The shape of a fact, if it is known, and its row. */
static flat_id shape_of_fact(const shaper *s, term_id atom, term_id *row) {
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
  const term_id skeleton = skeleton_of(s, atom, NULL, &holes, 0);
  if (skeleton == TERM_NONE)
    make_generic(s, r);
  else
    add_shape(s, r, skeleton, holes, true);
}

static void write_fact(shaper *s, clause_id id) {
  flat_program *f = s->f;
  const term_id atom = s->p->clauses.items[id].head;
  const flat_id head = shape_of_fact(s, atom, s->row.items);
  const flat_clause fresh = {.head = head, .body = f->literals.count, .source = id,
                             .head_args = f->args.count};
  vec_append(s->keep, &f->args, s->row.items, f->relations.items[head].arity);
  vec_push(s->keep, &f->clauses, fresh);
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
  if (most != RELATION_NONE) make_generic(s, most);
}

static void conclude(shaper *s, fitting *x) {
  bool *is_bound = arena_zero_array(s->brief, bool, x->variable_count);
  bool *is_constant = arena_zero_array(s->brief, bool, x->variable_count);
  for (uint32_t i = 0; i < x->positive_count; i++)
    if (!holes_hold_no_compound(s, x, i)) return;
  mark_holes(s, x, is_bound, is_constant);
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
      head == TERM_NONE ? TERM_NONE : skeleton_of(s, head, is_constant, &holes, 0);
  if (skeleton == TERM_NONE) make_generic(s, r);
  else *shape = add_shape(s, r, skeleton, holes, true);
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
    if (fit(s, &copy, i, s->shapes_of[r].items[k])) fit_from(s, &copy, i + 1, fixed);
  }
}

static uint32_t positive_index(const fitting *x, const literal *l) {
  uint32_t i = 0;
  while (x->positives[i] != l) i++;
  return i;
}

static void join_shape(shaper *s, flat_id shape) {
  const relation_id r = s->f->relations.items[shape].relation;
  for (uint32_t o = s->occurrences_from[r]; o < s->occurrences_from[r + 1] && !s->must_restart; o++) {
    const arena_mark mark = arena_save(s->brief);
    fitting x = fitting_new(s, &s->p->clauses.items[s->occurrences.items[o].clause]);
    const uint32_t at = positive_index(&x, &s->p->literals.items[s->occurrences.items[o].literal]);
    if (fit(s, &x, at, shape)) fit_from(s, &x, 0, at);
    arena_restore(s->brief, mark);
  }
  s->shapes_done[r]++;
}

static void conclude_without_positives(shaper *s) {
  for (clause_id id = 0; id < s->p->clauses.count && !s->must_restart; id++) {
    const clause *c = &s->p->clauses.items[id];
    if (count_positives(s->p, c) > 0) continue;
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
  for (int pass = 0; pass < 2; pass++) {
    for (clause_id c = 0; c < p->clauses.count; c++) {
      const clause *it = &p->clauses.items[c];
      for (uint32_t l = it->body; l < it->body + it->body_count; l++) {
        if (p->literals.items[l].kind != LITERAL_POSITIVE) continue;
        const relation_id r = atom_relation(p, p->literals.items[l].atom);
        if (pass == 0) s->occurrences_from[r]++;
        else s->occurrences.items[--s->occurrences_from[r]] = (occurrence){c, l};
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

/* Runs the clauses on shapes until nothing new appears.  False: a relation turned generic on the
   way and all must be done again, or the budget is spent. */
static bool find_shapes(shaper *s) {
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

/* ---- writing the flat clauses ---- */

typedef struct writer {
  shaper *s;
  fitting x;
  flat_id head;
  bool *is_bound;
  bool *is_constant;
  term_id *new_names; /* by variable: its new name, TERM_NONE before the first use */
  uint32_t variable_count;
} writer;

static void rename_variable(void *context, uint32_t number) {
  writer *w = context;
  if (w->new_names[number] == TERM_NONE)
    w->new_names[number] = term_variable(w->s->f->terms, w->variable_count++);
}

/* A term of the clause as the flat clause has it. */
static term_id flat_term(writer *w, term_id id) {
  term_table *t = w->s->f->terms;
  id = term_representative(t, id, w->x.bindings);
  const term it = *term_get(t, id);
  if (it.is_ground) return id;
  if (it.is_variable) {
    rename_variable(w, it.name);
    return w->new_names[it.name];
  }
  id = term_resolve(t, id, w->x.bindings);
  term_each_variable(t, id, rename_variable, w);
  return term_substitute(t, id, w->new_names);
}

/* Puts the terms in the holes of a skeleton, for an atom that fits it, behind `start`. */
static void collect_holes(writer *w, term_id skeleton, term_id atom, uint32_t start) {
  const term_table *t = w->s->f->terms;
  const term shape = *term_get(t, skeleton);
  if (shape.is_variable) {
    w->s->f->args.items[start + shape.name] = flat_term(w, atom);
    return;
  }
  atom = term_representative(t, atom, w->x.bindings);
  for (uint32_t i = 0; i < shape.arg_count; i++)
    collect_holes(w, term_arg(t, skeleton, i), term_arg(t, atom, i), start);
}

static uint32_t add_args(writer *w, const flat_relation *r, term_id atom) {
  flat_program *f = w->s->f;
  const uint32_t start = f->args.count;
  vec_reserve(w->s->keep, &f->args, r->arity);
  f->args.count += r->arity;
  collect_holes(w, r->skeleton, atom, start);
  return start;
}

typedef struct bound_check {
  const writer *w;
  bool all_bound;
} bound_check;

static void check_bound(void *context, uint32_t number) {
  bound_check *c = context;
  c->all_bound &= c->w->is_bound[number];
}

/* For a variable of the clause: those that its value holds. */
static void check_value_bound(void *context, uint32_t number) {
  const writer *w = ((bound_check *)context)->w;
  term_table *t = w->s->f->terms;
  const term_id value = w->x.bindings[number];
  const term_id it = value == TERM_NONE ? TERM_NONE : term_resolve(t, value, w->x.bindings);
  if (it == TERM_NONE) check_bound(context, number);
  else term_each_variable(t, it, check_bound, context);
}

/* Every variable of an atom must be bound by a positive literal.  Reports and tells when not. */
static bool is_safe(writer *w, term_id atom, diag_kind kind, node_id n) {
  bound_check c = {w, true};
  term_each_variable(w->s->f->terms, atom, check_value_bound, &c);
  if (c.all_bound) return true;
  bool *is_reported = &w->s->is_reported[w->x.clause - w->s->p->clauses.items];
  if (*is_reported) return false;
  *is_reported = true;
  diag_add(w->s->d, kind, program_span(w->s->p, n),
           "a variable of this atom is in no positive body literal, so the rule cannot be evaluated");
  return false;
}

static void push_literal(writer *w, flat_literal l) {
  vec_push(w->s->keep, &w->s->f->literals, l);
}

static void write_positives(writer *w) {
  for (uint32_t i = 0; i < w->x.positive_count; i++) {
    const flat_id shape = w->x.shapes[i];
    const flat_relation *r = &w->s->f->relations.items[shape];
    push_literal(w, (flat_literal){LITERAL_POSITIVE, shape, add_args(w, r, w->x.positives[i]->atom)});
  }
}

/* A negated atom whose shape no fact can have is true, and is left out. */
static void write_negative(writer *w, const literal *l) {
  shaper *s = w->s;
  const relation_id r = atom_relation(s->p, l->atom);
  const term_id atom = term_resolve(s->f->terms, l->atom, w->x.bindings);
  flat_id shape = ID_NONE;
  if (s->is_generic[r]) {
    shape = s->shapes_of[r].items[0];
  } else {
    uint32_t holes = 0;
    const term_id skeleton = skeleton_of(s, atom, w->is_constant, &holes, 0);
    if (skeleton == TERM_NONE && s->shapes_of[r].count > 0) make_generic(s, r);
    else if (skeleton != TERM_NONE) shape = find_shape(s, skeleton);
  }
  if (shape == ID_NONE) return;
  push_literal(w, (flat_literal){LITERAL_NEGATIVE, shape,
                                 add_args(w, &s->f->relations.items[shape], atom)});
}

/* False: the two terms are the same, so the clause can never fire. */
static bool write_distinct(writer *w, const literal *l) {
  flat_program *f = w->s->f;
  const term_id left = flat_term(w, term_arg(f->terms, l->atom, 0));
  const term_id right = flat_term(w, term_arg(f->terms, l->atom, 1));
  if (left == right) return false;
  if (term_is_ground(f->terms, left) && term_is_ground(f->terms, right)) return true;
  push_literal(w, (flat_literal){LITERAL_DISTINCT, ID_NONE, f->args.count});
  vec_push(w->s->keep, &f->args, left);
  vec_push(w->s->keep, &f->args, right);
  return true;
}

/* The literals that are not positive.  False: the clause can never fire, or a fault. */
static bool write_others(writer *w) {
  const program *p = w->s->p;
  const clause *c = w->x.clause;
  for (uint32_t i = c->body; i < c->body + c->body_count; i++) {
    const literal *l = &p->literals.items[i];
    if (l->kind == LITERAL_POSITIVE) continue;
    const diag_kind kind = l->kind == LITERAL_NEGATIVE ? DIAG_E402 : DIAG_E403;
    if (!is_safe(w, l->atom, kind, l->node)) return false;
    if (l->kind == LITERAL_NEGATIVE) write_negative(w, l);
    else if (!write_distinct(w, l)) return false;
  }
  return true;
}

static node_id head_node_of(const program *p, const clause *c) {
  return c->rule == RULE_NONE ? UINT32_MAX : p->rules.items[c->rule].head_node;
}

static void write_clause(writer *w) {
  shaper *s = w->s;
  flat_program *f = s->f;
  const clause *c = w->x.clause;
  if (!is_safe(w, c->head, DIAG_E401, head_node_of(s->p, c))) return;
  const flat_clause fresh = {.head = w->head, .body = f->literals.count,
                             .source = (clause_id)(c - s->p->clauses.items)};
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

/* Fits the clause to its shapes once more; that it fits was seen before. */
static fitting refit(shaper *s, const combination *c) {
  fitting x = fitting_new(s, &s->p->clauses.items[c->clause]);
  for (uint32_t i = 0; i < x.positive_count; i++) {
    const bool fits = fit(s, &x, i, s->chosen.items[c->shapes + i]);
    assert(fits);
    (void)fits;
  }
  return x;
}

static void write_combination(shaper *s, const combination *c) {
  if (is_fact(s, &s->p->clauses.items[c->clause])) {
    write_fact(s, c->clause);
    return;
  }
  writer w = {.s = s, .x = refit(s, c), .head = c->head};
  w.is_bound = arena_zero_array(s->brief, bool, w.x.variable_count);
  w.is_constant = arena_zero_array(s->brief, bool, w.x.variable_count);
  w.new_names = arena_new_array(s->brief, term_id, w.x.variable_count);
  memset(w.new_names, 0xff, w.x.variable_count * sizeof *w.new_names);
  mark_holes(s, &w.x, w.is_bound, w.is_constant);
  write_clause(&w);
}

static bool write_clauses(shaper *s) {
  s->f->clauses.count = s->f->literals.count = s->f->args.count = 0;
  vec_reserve(s->keep, &s->f->args, 1); /* no arguments have an address too */
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
  shaper s = {.f = f, .p = p, .keep = keep, .scratch = arena_new(), .brief = arena_new(),
              .d = d, .limits = limits, .depth_max = depth_max, .is_generic = is_generic};
  const bool done = find_shapes(&s) && write_clauses(&s);
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
