#include "explain/world.h"

#include "rules/term_copy.h"

#include <string.h>

/* ---- opening ---- */

static void note_facts(world *w) {
  const program *p = w->program;
  w->fact_terms = p->terms->terms.count;
  w->fact_clause = arena_new_array(w->keep, clause_id, w->fact_terms + (size_t)1);
  memset(w->fact_clause, 0xff, (w->fact_terms + (size_t)1) * sizeof *w->fact_clause);
  for (clause_id c = p->clauses.count; c-- > 0;) {
    const clause *it = &p->clauses.items[c];
    if (!it->body_count && term_is_ground(p->terms, it->head)) w->fact_clause[it->head] = c;
  }
}

world *world_open(const program *p, budget *b, arena *keep) {
  world *w = arena_alloc_zero(keep, sizeof *w);
  w->program = p;
  w->keep = keep;
  w->scratch = arena_new();
  w->budget = b;
  w->rule_terms = arena_alloc_zero(keep, sizeof *w->rule_terms);
  terms_copy(w->rule_terms, p->terms, keep);
  ref_rules_build(&w->rules, p, w->rule_terms, keep);
  w->solver = solver_new(&w->rules, b, &w->trouble);
  w->terms = solver_terms(w->solver);
  note_facts(w);
  return w;
}

void world_close(world *w) {
  if (!w) return;
  solver_free(w->solver);
  arena_free(w->scratch);
}

void world_set(world *w, term_list fluents, term_list does) {
  w->fluents = fluents;
  w->does = does;
  solver_set_state(w->solver, fluents.items, fluents.count);
  solver_set_moves(w->solver, does.items, does.count);
}

const argument_values *world_values(world *w) {
  if (!w->values) w->values = argument_values_find(w->program, w->budget, w->keep);
  return w->values;
}

/* ---- terms ---- */

typedef struct renaming {
  world *world;
  const term_id *bindings;
  term_id *values; /* of all variables: bound, or with a new number */
  uint32_t size, columns;
} renaming;

static void rename_variable(void *context, uint32_t variable) {
  renaming *r = context;
  if (variable >= r->size || r->values[variable] != TERM_NONE) return;
  const bool is_bound = r->bindings && r->bindings[variable] != TERM_NONE;
  r->values[variable] =
      is_bound ? r->bindings[variable] : term_variable(r->world->terms, r->columns++);
}

static void widen(void *context, uint32_t variable) {
  uint32_t *size = context;
  if (variable >= *size) *size = variable + 1;
}

term_id world_instance(world *w, term_id t, const term_id *bindings, uint32_t *columns) {
  renaming r = {.world = w, .bindings = bindings};
  term_id made = t;
  term_each_variable(w->terms, t, widen, &r.size);
  const arena_mark mark = arena_save(w->scratch);
  r.values = arena_new_array(w->scratch, term_id, r.size + (size_t)1);
  memset(r.values, 0xff, (r.size + (size_t)1) * sizeof *r.values);
  const uint32_t size = r.size;
  /* Variables are made before: the walk must not see the table move. */
  for (uint32_t i = 0; i < size; i++) (void)term_variable(w->terms, i);
  term_each_variable(w->terms, t, rename_variable, &r);
  if (!term_substitute(w->terms, t, r.values, &made)) made = t;
  arena_restore(w->scratch, mark);
  if (columns) *columns = r.columns;
  return made;
}

/* Binds variables of the pattern so that it becomes the ground term.  False: it cannot; bindings
   are left as they came to be. */
static bool world_match(const world *w, term_id pattern, term_id ground, term_id *bindings) {
  const term *it = term_get(w->terms, pattern);
  if (pattern == ground) return true;
  if (it->is_ground) return false;
  if (it->is_variable) {
    if (bindings[it->name] == TERM_NONE) bindings[it->name] = ground;
    return bindings[it->name] == ground;
  }
  const term *other = term_get(w->terms, ground);
  if (other->is_variable || !term_same_name(it, other)) return false;
  for (uint32_t i = 0; i < it->arg_count; i++)
    if (!world_match(w, term_arg(w->terms, pattern, i), term_arg(w->terms, ground, i), bindings))
      return false;
  return true;
}

bool world_meet(const world *w, term_id atom, term_id head, term_id *bindings) {
  const term *it = term_get(w->terms, atom);
  const term *other = term_get(w->terms, head);
  if (it->is_variable) return true;
  if (other->is_variable) {
    if (!it->is_ground) return true;
    if (bindings[other->name] == TERM_NONE) bindings[other->name] = atom;
    return bindings[other->name] == atom;
  }
  if (!term_same_name(it, other)) return false;
  for (uint32_t i = 0; i < it->arg_count; i++)
    if (!world_meet(w, term_arg(w->terms, atom, i), term_arg(w->terms, head, i), bindings))
      return false;
  return true;
}

/* ---- questions ---- */

relation_id world_relation(const world *w, term_id atom) {
  const term *it = term_get(w->terms, atom);
  return it->is_variable ? RELATION_NONE : program_relation(w->program, it->name, it->arg_count);
}

clause_id world_fact(const world *w, term_id atom) {
  return atom < w->fact_terms ? w->fact_clause[atom] : ID_NONE;
}

/* For `true` and `does`, which no rule derives. */
static answer_rows look_through(world *w, term_id pattern, uint32_t columns, term_list among) {
  id_vec rows = {0};
  uint32_t count = 0;
  term_id *row = arena_new_array(w->keep, term_id, columns + (size_t)1);
  for (uint32_t i = 0; i < among.count; i++) {
    memset(row, 0xff, (columns + (size_t)1) * sizeof *row);
    if (!world_match(w, pattern, among.items[i], row)) continue;
    vec_append(w->keep, &rows, row, columns);
    count++;
  }
  return (answer_rows){rows.items, columns, columns ? count : count > 0};
}

answer_rows world_answers(world *w, term_id atom) {
  uint32_t columns;
  const term_id asked = world_instance(w, atom, NULL, &columns);
  const relation_id r = world_relation(w, asked);
  if (r == SYM_TRUE) return look_through(w, term_arg(w->terms, asked, 0), columns, w->fluents);
  if (r == SYM_DOES) return look_through(w, asked, columns, w->does);
  if (r == RELATION_NONE) return (answer_rows){.columns = columns};
  const question *q = solver_ask(w->solver, asked);
  if (!q) return (answer_rows){.columns = columns};
  return (answer_rows){q->answers.items, columns, q->answer_count};
}

bool world_holds(world *w, term_id atom) { return world_answers(w, atom).count > 0; }
