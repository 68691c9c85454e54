#include "frame/domain.h"

#include <stdlib.h>
#include <string.h>

/* ---- variables of terms ---- */

typedef struct variable_walk {
  id_vec *found;
  arena *keep;
  uint32_t bound;
} variable_walk;

static bool is_among(const id_vec *ids, uint32_t id) {
  for (uint32_t i = 0; i < ids->count; i++)
    if (ids->items[i] == id) return true;
  return false;
}

static void note_variable(void *context, uint32_t number) {
  variable_walk *w = context;
  if (!is_among(w->found, number)) vec_push(w->keep, w->found, number);
}

void frame_add_variables(const term_table *t, term_id id, id_vec *variables, arena *keep) {
  variable_walk w = {.found = variables, .keep = keep};
  term_each_variable(t, id, note_variable, &w);
}

typedef struct variable_test {
  const id_vec *among;
  bool all;
} variable_test;

static void test_variable(void *context, uint32_t number) {
  variable_test *w = context;
  w->all &= is_among(w->among, number);
}

bool frame_has_variables(const term_table *t, term_id id, const id_vec *among) {
  variable_test w = {.among = among, .all = true};
  term_each_variable(t, id, test_variable, &w);
  return w.all;
}

static void raise_bound(void *context, uint32_t number) {
  variable_walk *w = context;
  if (number >= w->bound) w->bound = number + 1;
}

uint32_t frame_variable_bound(const term_table *t, term_id id, uint32_t least) {
  variable_walk w = {.bound = least};
  term_each_variable(t, id, raise_bound, &w);
  return w.bound;
}

term_id *frame_bindings(arena *keep, uint32_t count) {
  term_id *bindings = arena_new_array(keep, term_id, count + 1);
  memset(bindings, 0xff, (count + 1) * sizeof *bindings);
  return bindings;
}

/* ---- patterns ---- */

/* What two ground terms have in common: equal names with equal numbers of arguments stay, all
   else, and every constant below the top, is a variable. */
typedef struct generalisation {
  term_table *t;
  uint32_t variables;
} generalisation;

static term_id generalise(generalisation *g, const term_id *all, uint32_t count, bool is_top) {
  const term first = *term_get(g->t, all[0]);
  bool is_common = first.arg_count > 0 || is_top;
  for (uint32_t i = 1; i < count && is_common; i++) {
    const term *it = term_get(g->t, all[i]);
    is_common = it->name == first.name && it->arg_count == first.arg_count;
  }
  if (!is_common) return term_variable(g->t, g->variables++);
  arena *scratch = arena_new();
  term_id *args = arena_new_array(scratch, term_id, first.arg_count + 1);
  term_id *below = arena_new_array(scratch, term_id, count);
  for (uint32_t a = 0; a < first.arg_count; a++) {
    for (uint32_t i = 0; i < count; i++) below[i] = term_arg(g->t, all[i], a);
    args[a] = generalise(g, below, count, false);
  }
  term_id made;
  if (!term_compound(g->t, first.name, args, first.arg_count, &made))
    made = term_variable(g->t, g->variables++);
  arena_free(scratch);
  return made;
}

static void find_pattern(frame_domain *m, frame_name *n) {
  generalisation g = {.t = m->terms};
  n->pattern = generalise(&g, vec_from(&m->instances, n->first), n->count, true);
  n->variable_count = g.variables;
}

/* ---- names ---- */

typedef VEC(frame_name) name_vec;

static bool is_of_name(const term_table *t, term_id left, term_id right) {
  return term_get(t, left)->name == term_get(t, right)->name &&
         term_get(t, left)->arg_count == term_get(t, right)->arg_count;
}

/* The name, from `first` on, of which the term is; made when there is none. */
static uint32_t name_of(frame_domain *m, name_vec *names, uint32_t first, term_id id) {
  for (uint32_t i = names->count; i > first; i--)
    if (is_of_name(m->terms, names->items[i - 1].pattern, id)) return i - 1;
  const frame_name fresh = {.pattern = id};
  vec_push(m->keep, names, fresh);
  return names->count - 1;
}

/* Adds names for the terms; their instances follow those that are there. */
static void add_names(frame_domain *m, name_vec *names, const term_id *all, uint32_t count) {
  const uint32_t first = names->count;
  uint32_t *which = arena_new_array(m->keep, uint32_t, count + 1);
  for (uint32_t i = 0; i < count; i++) {
    which[i] = name_of(m, names, first, all[i]);
    names->items[which[i]].count++;
  }
  uint32_t start = m->instances.count;
  for (uint32_t n = first; n < names->count; n++) {
    names->items[n].first = start;
    start += names->items[n].count;
    names->items[n].count = 0;
  }
  vec_reserve(m->keep, &m->instances, count);
  m->instances.count += count;
  for (uint32_t i = 0; i < count; i++) {
    frame_name *n = &names->items[which[i]];
    m->instances.items[n->first + n->count++] = all[i];
  }
  for (uint32_t n = first; n < names->count; n++) find_pattern(m, &names->items[n]);
}

static void read_fluents(frame_domain *m) {
  uint32_t count;
  const term_id *atoms = bases_atoms(&m->facts, SYM_TRUE, m->keep, &count);
  term_id *all = arena_new_array(m->keep, term_id, count + 1);
  for (uint32_t i = 0; i < count; i++) all[i] = term_arg(m->terms, atoms[i], 0);
  name_vec names = {0};
  add_names(m, &names, all, count);
  vec_append(m->keep, &m->fluents, names.items, names.count);
}

/* ---- roles ---- */

static void read_roles(frame_domain *m) {
  const flat_program *f = &m->facts.rules.program;
  for (uint32_t i = f->relations_from[SYM_ROLE]; i < f->relations_from[SYM_ROLE + 1]; i++) {
    const flat_id r = f->relations_by_source.items[i];
    for (uint32_t row = 0; row < m->facts.facts.tables[r].count; row++) {
      const term_id atom = flat_atom(f, r, table_row(&m->facts.facts.tables[r], row));
      const frame_role fresh = {.term = term_arg(m->terms, atom, 0)};
      vec_push(m->keep, &m->roles, fresh);
    }
  }
}

static int compare_actions(const void *left, const void *right, void *context) {
  const frame_domain *m = context;
  const frame_name *a = left;
  const frame_name *b = right;
  const uint32_t args_a = term_get(m->terms, a->pattern)->arg_count;
  const uint32_t args_b = term_get(m->terms, b->pattern)->arg_count;
  if (args_a != args_b) return args_a < args_b ? -1 : 1;
  return term_compare(m->terms, a->pattern, b->pattern);
}

static void read_actions(frame_domain *m, frame_role *r, const term_id *atoms, uint32_t count) {
  term_id *all = arena_new_array(m->keep, term_id, count + 1);
  uint32_t own = 0;
  for (uint32_t i = 0; i < count; i++)
    if (term_arg(m->terms, atoms[i], 0) == r->term) all[own++] = term_arg(m->terms, atoms[i], 1);
  name_vec names = {0};
  add_names(m, &names, all, own);
  if (names.count) qsort_r(names.items, names.count, sizeof *names.items, compare_actions, m);
  r->first_action = m->actions.count;
  r->action_count = names.count;
  vec_append(m->keep, &m->actions, names.items, names.count);
}

bool frame_domain_read(frame_domain *m, const program *p, arena *keep, budget *limits,
                       diag_sink *d) {
  *m = (frame_domain){.keep = keep, .terms = p->terms, .has_facts = true};
  if (!bases_compute_alone(&m->facts, p, BASES_ONESTEP, keep, limits, d)) return false;
  read_fluents(m);
  read_roles(m);
  uint32_t count;
  const term_id *atoms = bases_atoms(&m->facts, SYM_DOES, keep, &count);
  for (uint32_t r = 0; r < m->roles.count && !budget_is_spent(limits); r++)
    read_actions(m, &m->roles.items[r], atoms, count);
  if (!budget_is_spent(limits)) return true;
  budget_report(limits, d, "fluents and moves were being listed");
  return false;
}

void frame_domain_free(frame_domain *m) {
  if (m->has_facts) bases_free(&m->facts);
  m->has_facts = false;
}

/* ---- what holds ---- */

bool frame_always_holds(const frame_domain *m, term_id atom) {
  const flat_program *f = &m->facts.rules.program;
  arena *scratch = arena_new();
  uint32_t most = 0;
  for (flat_id r = 0; r < f->relations.count; r++)
    if (f->relations.items[r].arity > most) most = f->relations.items[r].arity;
  term_id *row = arena_new_array(scratch, term_id, most + 1);
  flat_id r;
  const bool holds = flat_find(f, atom, &r, row) && !m->facts.rules.is_open[r] &&
                     table_find(&m->facts.facts.tables[r], row) != ID_NONE;
  arena_free(scratch);
  return holds;
}

/* ---- values ---- */

/* More instances are not looked through. */
enum { INSTANCES_MAX = 200 * 1000 };

typedef struct value_search {
  const frame_domain *m;
  const term_id *distincts; /* that the place decides */
  uint32_t distinct_count;
  term_id *bindings;
} value_search;

static bool meets_distincts(const value_search *s) {
  const term_table *t = s->m->terms;
  for (uint32_t i = 0; i < s->distinct_count; i++)
    if (term_equal_under(t, term_arg(t, s->distincts[i], 0), term_arg(t, s->distincts[i], 1),
                         s->bindings))
      return false;
  return true;
}

bool frame_values(const frame_domain *m, frame_place at, const term_id *distincts,
                  uint32_t distinct_count, const uint32_t *variables, uint32_t count, table *values,
                  arena *scratch) {
  if (at.name->count == 0 || at.name->count > INSTANCES_MAX) return false;
  id_vec own = {0};
  frame_add_variables(m->terms, at.term, &own, scratch);
  for (uint32_t i = 0; i < count; i++)
    if (!is_among(&own, variables[i])) return false;
  term_id *decided = arena_new_array(scratch, term_id, distinct_count + 1);
  value_search s = {.m = m, .distincts = decided};
  for (uint32_t i = 0; i < distinct_count; i++)
    if (frame_has_variables(m->terms, distincts[i], &own))
      decided[s.distinct_count++] = distincts[i];
  const uint32_t bound = frame_variable_bound(m->terms, at.term, 1);
  s.bindings = frame_bindings(scratch, bound);
  term_id *row = arena_new_array(scratch, term_id, count + 1);
  table_init(values, count, scratch);
  for (uint32_t i = 0; i < at.name->count; i++) {
    memset(s.bindings, 0xff, bound * sizeof *s.bindings);
    const term_id instance = m->instances.items[at.name->first + i];
    if (!term_unify(m->terms, at.term, instance, s.bindings) || !meets_distincts(&s)) continue;
    for (uint32_t v = 0; v < count; v++) row[v] = s.bindings[variables[v]];
    table_insert(values, row);
  }
  return true;
}
