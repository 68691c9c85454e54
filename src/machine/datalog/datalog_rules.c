#include "machine/datalog/datalog_rules.h"

#include "ground/bases.h"
#include "machine/datalog/datalog_sample.h"
#include "rules/term_copy.h"

#include <stdlib.h>
#include <string.h>

/* ---- the rules that are needed ---- */

static int compare_constants(const void *left, const void *right, void *terms) {
  return term_compare(terms, *(const term_id *)left, *(const term_id *)right);
}

static void add_constants(dl_rules *r, term_table *from, arena *scratch) {
  VEC(term_id) constants = {0};
  for (term_id t = 0; t < from->terms.count; t++)
    if (!term_is_variable(from, t) && term_get(from, t)->arg_count == 0)
      vec_push(scratch, &constants, t);
  if (constants.count)
    qsort_r(constants.items, constants.count, sizeof(term_id), compare_constants, from);
  for (uint32_t i = 0; i < constants.count; i++)
    term_constant(&r->terms, term_get(from, constants.items[i])->name);
  r->constant_count = constants.count;
}

static void carry_clause(dl_rules *r, const program *p, const clause *c, arena *scratch) {
  literal *body = arena_new_array(scratch, literal, c->body_count);
  for (uint32_t i = 0; i < c->body_count; i++) {
    body[i] = p->literals.items[c->body + i];
    body[i].atom = term_copy(&r->terms, p->terms, body[i].atom, scratch);
  }
  const term_id head = term_copy(&r->terms, p->terms, c->head, scratch);
  program_add_clause(&r->linked, head, c->rule, body, c->body_count, c->variable_count);
}

/* Facts of true and does come from the state and the moves alone. */
static void take_needed_clauses(dl_rules *r, const program *p, arena *scratch) {
  const bool *is_needed = program_needed(p, scratch);
  for (clause_id c = 0; c < p->clauses.count; c++) {
    const relation_id head = atom_relation(p, p->clauses.items[c].head);
    if (is_needed[head] && head != SYM_TRUE && head != SYM_DOES)
      carry_clause(r, p, &p->clauses.items[c], scratch);
  }
}

/* ---- layers ---- */

static void find_layers(dl_rules *r, const analysis *a, arena *keep) {
  const uint32_t count = r->flat.relations.count;
  r->layers = arena_zero_array(keep, dl_layer, count);
  for (flat_id i = 0; i < count; i++) {
    const relation_id source = r->flat.relations.items[i].relation;
    r->has_generic |= !r->flat.relations.items[i].is_exact;
    if (a->is_open[source] || source == SYM_TRUE || source == SYM_DOES) r->layers[i] = DL_STATE;
  }
}

static bool reads_moves(const dl_rules *r, const flat_clause *c) {
  for (uint32_t i = 0; i < c->body_count; i++) {
    const flat_literal *l = &r->dynamic.literals.items[c->body + i];
    if (l->kind != LITERAL_DISTINCT && r->layers[l->relation] == DL_MOVE) return true;
  }
  return false;
}

static void find_moves_layer(dl_rules *r) {
  const flat_program *f = &r->dynamic;
  for (uint32_t i = f->relations_from[SYM_DOES]; i < f->relations_from[SYM_DOES + 1]; i++)
    r->layers[f->relations_by_source.items[i]] = DL_MOVE;
  for (bool changed = true; changed;) {
    changed = false;
    for (flat_clause_id c = 0; c < f->clauses.count; c++) {
      const flat_clause *it = &f->clauses.items[c];
      if (r->layers[it->head] == DL_MOVE || !reads_moves(r, it)) continue;
      r->layers[it->head] = DL_MOVE;
      changed = true;
    }
  }
}

typedef enum clause_group { STATIC_CLAUSES, DYNAMIC_CLAUSES, LINKS, GROUP_COUNT } clause_group;

static clause_group group_of(const dl_rules *r, const flat_clause *c) {
  const relation_id head = r->flat.relations.items[c->head].relation;
  if (head == SYM_TRUE || head == SYM_DOES) return LINKS;
  return r->layers[c->head] == DL_STATIC ? STATIC_CLAUSES : DYNAMIC_CLAUSES;
}

/* The program with only the clauses of one group. */
static flat_program clauses_of(const dl_rules *r, clause_group group, arena *keep) {
  flat_program f = r->flat;
  f.clauses.items = NULL;
  f.clauses.count = f.clauses.capacity = 0;
  for (flat_clause_id c = 0; c < r->flat.clauses.count; c++) {
    const flat_clause *it = &r->flat.clauses.items[c];
    if (group_of(r, it) == group) vec_push(keep, &f.clauses, *it);
  }
  return f;
}

/* ---- functions ---- */

/* Larger relations are not looked at. */
enum { FUNCTION_FACTS_MAX = 50 * 1000, FUNCTION_ARITY_MAX = 16 };

static bool find_function(table *t, uint32_t columns) {
  uint32_t list[FUNCTION_ARITY_MAX];
  uint32_t count = 0;
  for (uint32_t c = 0; c < t->arity; c++)
    if (columns >> c & 1) list[count++] = c;
  table_index_on(t, list, count);
  return table_rows_per_key(t, list, count) <= 1;
}

bool dl_is_function(const dl_rules *r, flat_id relation, uint32_t columns, arena *keep) {
  table *t = &r->facts[relation];
  if (r->layers[relation] != DL_STATIC || columns == 0) return false;
  if (t->count > FUNCTION_FACTS_MAX || t->arity > FUNCTION_ARITY_MAX) return false;
  id_vec *known = &r->functions[relation];
  for (uint32_t i = 0; i < known->count; i++)
    if (known->items[i] >> 1 == columns) return known->items[i] & 1;
  const bool is_function = find_function(t, columns);
  vec_push(keep, known, columns << 1 | is_function);
  return is_function;
}

flat_id dl_under_keyword(const dl_rules *r, flat_id relation, symbol_id keyword) {
  const flat_program *f = &r->flat;
  const term *mine = term_get(f->terms, f->relations.items[relation].skeleton);
  for (uint32_t i = f->relations_from[keyword]; i < f->relations_from[keyword + 1]; i++) {
    const flat_id other = f->relations_by_source.items[i];
    const term *its = term_get(f->terms, f->relations.items[other].skeleton);
    if (memcmp(vec_from(&f->terms->args, mine->args), vec_from(&f->terms->args, its->args),
               mine->arg_count * sizeof(term_id)) == 0)
      return other;
  }
  return ID_NONE;
}

/* ---- the static facts ---- */

/* Rows that a clause of static relations may look at before it is doubted.  Terms of any shape can
   be without end; others are finitely many. */
enum { GENERIC_PATIENCE = 20 * 1000, EXACT_PATIENCE = 4 * 1000 * 1000 };

/* Marks the relations that read a marked one.  False: the roles or the start are among them. */
static bool mark_readers(const flat_program *f, bool *marked) {
  flat_mark_readers(f, marked);
  for (flat_clause_id c = 0; c < f->clauses.count; c++) {
    const flat_id head = f->clauses.items[c].head;
    const relation_id relation = f->relations.items[head].relation;
    if (marked[head] && (relation == SYM_ROLE || relation == SYM_INIT)) return false;
  }
  return true;
}

/* A relation that has too many facts is evaluated in every state instead, as far as it is asked. */
static bool doubt_static(void *context, engine *e, flat_clause_id c) {
  dl_rules *r = context;
  const flat_id head = e->f->clauses.items[c].head;
  if (e->f->relations.items[head].is_exact && e->effort[c] < EXACT_PATIENCE) return false;
  arena *scratch = arena_new();
  bool *marked = arena_zero_array(scratch, bool, e->f->relations.count);
  for (flat_id i = 0; i < e->f->relations.count; i++)
    marked[i] = e->component[i] == e->component[head];
  const bool ok = mark_readers(e->f, marked);
  for (flat_id i = 0; i < e->f->relations.count && ok; i++)
    if (marked[i]) r->layers[i] = DL_STATE;
  arena_free(scratch);
  return ok;
}

static bool evaluate_static(dl_rules *r, arena *keep, budget *limits, diag_sink *d) {
  flat_program *rules = arena_alloc(keep, sizeof *rules);
  for (;;) {
    engine e;
    *rules = clauses_of(r, STATIC_CLAUSES, keep);
    r->facts_keep = arena_new();
    budget_watch(limits, r->facts_keep);
    engine_init(&e, rules, NULL, r->facts_keep);
    engine_set_doubt(&e, doubt_static, r, GENERIC_PATIENCE);
    const bool ok = engine_run(&e, limits, d);
    budget_unwatch(limits, r->facts_keep);
    r->facts = e.tables;
    if (ok || !e.stopped_by_doubt) return ok;
    arena_free(r->facts_keep);
  }
}

void dl_rules_free_facts(dl_rules *r) {
  arena_free(r->facts_keep);
  r->facts_keep = NULL;
  r->facts = NULL;
}

/* ---- all of it ---- */

/* The facts that never change, then the rules for the others. */
static bool evaluate(dl_rules *r, const analysis *a, arena *keep, budget *limits, diag_sink *d) {
  find_layers(r, a, keep);
  const flat_program links = clauses_of(r, LINKS, keep);
  if (!evaluate_static(r, keep, limits, d)) return false;
  r->dynamic = clauses_of(r, DYNAMIC_CLAUSES, keep);
  if (!dl_sample(r, keep, limits, d)) return false;
  find_moves_layer(r);
  r->functions = arena_zero_array(keep, id_vec, r->dynamic.relations.count);
  r->flat = r->dynamic;
  r->flat.clauses.items = NULL;
  r->flat.clauses.count = r->flat.clauses.capacity = 0;
  vec_append(keep, &r->flat.clauses, r->dynamic.clauses.items, r->dynamic.clauses.count);
  vec_append(keep, &r->flat.clauses, links.clauses.items, links.clauses.count);
  return true;
}

bool dl_rules_make(dl_rules *r, const program *p, uint32_t inertia_count, arena *keep,
                   budget *limits, diag_sink *d) {
  arena *scratch = arena_new();
  *r = (dl_rules){0};
  terms_init(&r->terms, p->symbols, keep);
  add_constants(r, p->terms, scratch);
  program_derive(&r->linked, p, keep);
  r->linked.terms = &r->terms;
  take_needed_clauses(r, p, scratch);
  r->inertia_count = inertia_count;
  r->first_inertia = r->linked.clauses.count - inertia_count;
  program_index_relations(&r->linked);
  analysis a;
  rules_analyse(&a, &r->linked, scratch);
  bases_link(&r->linked, BASES_ONESTEP);
  bool ok = flatten(&r->flat, &r->linked, keep, limits, d);
  if (!ok && limits) budget_report(limits, d, "the shapes of atoms were being found");
  if (ok) ok = evaluate(r, &a, keep, limits, d);
  arena_free(scratch);
  return ok;
}
