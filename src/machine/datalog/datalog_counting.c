#include "machine/datalog/datalog_counting.h"

#include "machine/datalog/datalog_acyclic_recursion.h"
#include "machine/datalog/datalog_literal_order.h"

enum { TALLIES_MAX = 1 << 21 }; /* places of all that is kept in a model */

/* Item `at` of the readers of a relation is a component. */
typedef struct reader {
  flat_id relation;
  uint32_t component, at;
} reader;

typedef struct planning {
  dl_plan *p;
  const dl_compiler *compiler;
  const flat_program *f; /* the dynamic clauses */
  arena *keep;
  budget *limits;
  uint32_t tallies; /* places so far */
  VEC(reader) readers;
  id_table reader_index; /* of them, by relation and component */
} planning;

static const flat_literal *literal_at(const planning *x, const flat_clause *c, uint32_t i) {
  return &x->f->literals.items[c->body + i];
}

static bool is_dynamic(const planning *x, const flat_literal *l) {
  return l->kind != LITERAL_DISTINCT && x->p->r->layers[l->relation] != DL_STATIC;
}

static bool is_own(const planning *x, const flat_clause *c, const flat_literal *l) {
  return x->p->component[l->relation] == x->p->component[c->head];
}

/* ---- which components ---- */

static void find_inputs(planning *x) {
  for (flat_clause_id c = 0; c < x->f->clauses.count; c++) {
    const flat_clause *it = &x->f->clauses.items[c];
    dl_component *part = &x->p->components[x->p->component[it->head]];
    for (uint32_t i = 0; i < it->body_count && !x->p->inertia.is_skipped[c]; i++) {
      const flat_literal *l = literal_at(x, it, i);
      if (!is_dynamic(x, l) || is_own(x, it, l)) continue;
      uint32_t at = 0;
      while (at < part->inputs.count && part->inputs.items[at] != l->relation) at++;
      if (at == part->inputs.count) vec_push(x->keep, &part->inputs, l->relation);
    }
  }
}

/* What each component depends on; those that it reads come before it. */
static void find_fluents(planning *x) {
  const flat_program *f = &x->p->r->flat;
  x->p->fluents = arena_zero_array(x->keep, uint64_t, x->f->relations.count);
  for (uint32_t i = f->relations_from[SYM_TRUE]; i < f->relations_from[SYM_TRUE + 1]; i++)
    x->p->fluents[f->relations_by_source.items[i]] = UINT64_C(1) << (i % 64);
  for (uint32_t i = 0; i < x->p->component_count; i++) {
    dl_component *c = &x->p->components[i];
    for (uint32_t k = 0; k < c->inputs.count; k++) {
      const flat_id r = c->inputs.items[k];
      c->fluents |= x->p->fluents[r] | x->p->components[x->p->component[r]].fluents;
    }
  }
}

static bool has_tally_places(const planning *x, flat_id r) {
  const uint32_t size = x->p->layouts[r].size;
  return size > 0 && size <= DL_PLACES_KEPT_MAX;
}

/* The fluents are told; what no clause defines never changes. */
static bool input_can_be_kept(const planning *x, flat_id r) {
  const dl_component *from = &x->p->components[x->p->component[r]];
  const bool is_derived = from->codes.count || from->triggers.count;
  return is_derived ? from->can_be_kept : has_tally_places(x, r);
}

static bool can_be_kept(const planning *x, uint32_t number) {
  const dl_component *c = &x->p->components[number];
  if (c->layer != DL_STATE || c->relations.count != 1 || c->denier != ID_NONE) return false;
  if (!c->codes.count || !has_tally_places(x, c->relations.items[0])) return false;
  for (uint32_t i = 0; i < c->inputs.count; i++)
    if (!input_can_be_kept(x, c->inputs.items[i])) return false;
  return !c->triggers.count || dl_recursion_is_acyclic(x->p, c->relations.items[0]);
}

static void choose_component(planning *x, uint32_t number) {
  dl_component *c = &x->p->components[number];
  if (!can_be_kept(x, number)) return;
  const uint32_t places = x->p->layouts[c->relations.items[0]].size;
  if (places > TALLIES_MAX - x->tallies) return;
  x->tallies += places;
  c->can_be_kept = true;
}

/* ---- code ---- */

static uint64_t reader_hash(flat_id relation, uint32_t component) {
  return hash_ids((const uint32_t[]){relation, component}, 2);
}

static uint64_t hash_of_reader(const void *context, uint32_t id) {
  const reader *it = &((const planning *)context)->readers.items[id];
  return reader_hash(it->relation, it->component);
}

/* How the component changes with the relation. */
static dl_deltas *deltas_of(planning *x, flat_id relation, uint32_t component) {
  dl_deltas_vec *all = &x->p->readers[relation];
  id_table_reserve(&x->reader_index, x->keep, hash_of_reader, x);
  uint32_t slot = id_table_first(&x->reader_index, reader_hash(relation, component));
  for (; x->reader_index.slots[slot] != ID_NONE; slot = id_table_next(&x->reader_index, slot)) {
    const reader *it = &x->readers.items[x->reader_index.slots[slot]];
    if (it->relation == relation && it->component == component) return &all->items[it->at];
  }
  const reader fresh = {relation, component, all->count};
  const dl_deltas none = {.component = component};
  id_table_put(&x->reader_index, slot, x->readers.count);
  vec_push(x->keep, &x->readers, fresh);
  vec_push(x->keep, all, none);
  return &vec_last(all);
}

static void add_delta(planning *x, flat_clause_id c, uint32_t i) {
  const flat_clause *it = &x->f->clauses.items[c];
  const flat_literal *l = literal_at(x, it, i);
  dl_delta d = {.is_denied = l->kind == LITERAL_NEGATIVE};
  dl_compile_counted(&d.code, x->compiler, c, i);
  dl_plan_note_sizes(x->p, &d.code);
  vec_push(x->keep, &deltas_of(x, l->relation, x->p->component[it->head])->any, d);
}

static void count_clause(planning *x, flat_clause_id c) {
  const flat_clause *it = &x->f->clauses.items[c];
  dl_component *part = &x->p->components[x->p->component[it->head]];
  bool is_recursive = false;
  for (uint32_t i = 0; i < it->body_count && !budget_check_now(x->limits); i++) {
    const flat_literal *l = literal_at(x, it, i);
    if (!is_dynamic(x, l)) continue;
    is_recursive |= is_own(x, it, l);
    add_delta(x, c, i);
  }
  if (is_recursive) return;
  dl_code code;
  dl_compile_counted(&code, x->compiler, c, DL_NOTHING);
  dl_plan_note_sizes(x->p, &code);
  vec_push(x->keep, &part->counted, code);
}

/* ---- deltas by value ---- */

/* The value that the rows of a delta must have in a column; DL_ABSENT: any. */
static uint32_t value_in(const dl_layout *l, const dl_delta *d, uint32_t column) {
  const dl_step *given = &d->code.steps[0];
  for (uint32_t i = 0; i < given->equal_count; i++) {
    const dl_equal *e = &given->equals[i];
    if (e->column == column && e->with.kind == DL_TERM) return l->columns[column].codes[e->with.id];
  }
  return DL_ABSENT;
}

/* The column that distinguishes most deltas; UINT32_MAX: none does. */
static uint32_t best_column(const dl_layout *l, const dl_delta_vec *list) {
  uint32_t best = UINT32_MAX, most = 0;
  for (uint32_t c = 0; c < l->arity; c++) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < list->count; i++)
      count += value_in(l, &list->items[i], c) != DL_ABSENT;
    if (count <= most) continue;
    best = c;
    most = count;
  }
  return best;
}

static void sort_by_value(dl_deltas *to, const dl_layout *l, arena *keep) {
  const dl_delta_vec all = to->any;
  to->column = best_column(l, &all);
  if (to->column == UINT32_MAX) return;
  to->any = (dl_delta_vec){0};
  to->of = arena_zero_array(keep, dl_delta_vec, l->columns[to->column].value_count);
  for (uint32_t i = 0; i < all.count; i++) {
    const uint32_t value = value_in(l, &all.items[i], to->column);
    vec_push(keep, value == DL_ABSENT ? &to->any : &to->of[value], all.items[i]);
  }
}

void dl_counting_plan(dl_plan *p, const dl_compiler *c, arena *keep, budget *limits) {
  const uint32_t relations = p->r->dynamic.relations.count;
  planning x = {.p = p, .compiler = c, .f = &p->r->dynamic, .keep = keep, .limits = limits};
  p->readers = arena_zero_array(keep, dl_deltas_vec, relations);
  find_inputs(&x);
  find_fluents(&x);
  for (uint32_t i = 0; i < p->component_count; i++) choose_component(&x, i);
  for (flat_clause_id i = 0; i < x.f->clauses.count && !budget_is_spent(limits); i++) {
    const uint32_t component = p->component[x.f->clauses.items[i].head];
    if (p->components[component].can_be_kept && !p->inertia.is_skipped[i]) count_clause(&x, i);
  }
  for (flat_id r = 0; r < relations; r++)
    for (uint32_t i = 0; i < p->readers[r].count; i++)
      sort_by_value(&p->readers[r].items[i], &p->layouts[r], keep);
}
