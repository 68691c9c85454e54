#include "ground/bases.h"

#include "ground/evaluate.h"

#include <stdlib.h>
#include <string.h>

static const char *const method_names[] = {"onestep", "declared", "iterative"};

const char *bases_method_name(bases_method m) { return method_names[m]; }

/* ---- the rules that are added ---- */

static literal positive(term_id atom) {
  return (literal){.kind = LITERAL_POSITIVE, .atom = atom, .node = UINT32_MAX};
}

/* true(?0) <= from(?0) */
static void link_fluents(program *p, symbol_id from) {
  const term_id fluent = term_variable(p->terms, 0);
  const literal body = positive(term_atom(p->terms, from, &fluent, 1));
  program_add_clause(p, term_atom(p->terms, SYM_TRUE, &fluent, 1), RULE_NONE, &body, 1, 1);
}

/* does(?0, ?1) <= role(?0), from(?0, ?1) */
static void link_moves(program *p, symbol_id from) {
  const term_id args[2] = {term_variable(p->terms, 0), term_variable(p->terms, 1)};
  const literal body[2] = {positive(term_atom(p->terms, SYM_ROLE, args, 1)),
                           positive(term_atom(p->terms, from, args, 2))};
  program_add_clause(p, term_atom(p->terms, SYM_DOES, args, 2), RULE_NONE, body, 2, 2);
}

void bases_link(program *linked, bases_method m) {
  if (m == BASES_DECLARED) {
    link_fluents(linked, SYM_BASE);
    link_moves(linked, SYM_INPUT);
  } else {
    link_fluents(linked, SYM_INIT);
    link_fluents(linked, SYM_NEXT);
    link_moves(linked, SYM_LEGAL);
  }
  program_index_relations(linked);
}

void bases_link_copy(program *linked, const program *p, bases_method m, arena *keep) {
  program_derive(linked, p, keep);
  program_copy_clauses(linked, p, NULL);
  bases_link(linked, m);
}

/* Without the rules that tie true and does to what can follow. */
static flat_program without_links(const flat_program *f, arena *keep) {
  flat_program result = *f;
  result.clauses.items = arena_new_array(keep, flat_clause, f->clauses.count);
  result.clauses.count = 0;
  result.clauses.capacity = f->clauses.count;
  for (flat_clause_id c = 0; c < f->clauses.count; c++) {
    const relation_id head = f->relations.items[f->clauses.items[c].head].relation;
    if (head != SYM_TRUE && head != SYM_DOES) vec_push(keep, &result.clauses, f->clauses.items[c]);
  }
  return result;
}

/* The fluents of a match in which nobody moves. */
static bool find_idle_fluents(given_facts *found, const flat_program *f, const bool *is_open,
                              arena *keep, budget *limits, diag_sink *d) {
  const flat_program unlinked = without_links(f, keep);
  rewriting rules;
  rewriting_none(&rules, &unlinked, is_open, keep);
  return bases_play_idly(found, &rules, keep, limits, d);
}

/* ---- evaluating ---- */

bool bases_compute(bases *b, const program *p, bases_method m, arena *keep, budget *limits,
                   diag_sink *d) {
  *b = (bases){.limits = limits};
  bases_link_copy(&b->linked, p, m, keep);
  flat_program flat;
  if (!flatten(&flat, &b->linked, keep, limits, d)) {
    if (limits) budget_report(limits, d, "the shapes of atoms were being found");
    return false;
  }
  analysis a;
  rules_analyse(&a, p, keep);
  b->is_stratified = a.stratified;
  given_facts idle;
  const bool has_idle = m == BASES_ITERATIVE && a.stratified;
  if (has_idle && !find_idle_fluents(&idle, &flat, a.is_open, keep, limits, d)) return false;
  rewriting original;
  rewriting_none(&original, &flat, a.is_open, keep);
  const uint32_t errors = d->errors;
  if (!bases_evaluate(b, &original, has_idle ? &idle : NULL, &usual_doubts, keep, limits, d))
    return false;
  if (m == BASES_DECLARED) bases_check_declared(b, keep, d);
  return d->errors == errors;
}

bool bases_compute_alone(bases *b, const program *p, bases_method m, arena *keep, budget *limits,
                         diag_sink *d) {
  program part;
  program_for_bases(&part, p, keep);
  return bases_compute(b, &part, m, keep, limits, d);
}

enum {
  SAMPLED_HEADS = 32,      /* of a clause, to see how many instances it has */
  SAMPLED_ROWS = 2000,     /* looked at for each of them */
  SAMPLED_RELATION = 3000, /* clauses that join fewer rows than this are not asked */
};

static bool count_solution(void *context, const join *j) {
  (void)j;
  ++*(uint64_t *)context;
  return true;
}

static bool stop(void *context, join *j) {
  (void)context;
  (void)j;
  return false;
}

/* About how many instances the clause has: what some of its heads have, times their share. */
static uint64_t sample_instances(bases *b, flat_clause_id c, arena *scratch) {
  const flat_program *f = &b->rules.program;
  table *tables = b->facts.tables;
  const uint32_t heads = tables[f->clauses.items[c].head].count;
  const uint32_t every = heads / SAMPLED_HEADS + 1;
  plan p;
  join j;
  plan_make(&p, f, tables, b->rules.is_open, c, PLAN_HEAD, scratch);
  join_init(&j, f, tables, &p, scratch);
  uint64_t found = 0;
  for (j.given = every / 2; j.given < heads; j.given += every) {
    j.given_end = j.given + 1;
    j.try_limit = j.tried + SAMPLED_ROWS;
    join_run(&j, count_solution, stop, &found);
  }
  return found * every;
}

static bool is_worth_sampling(const bases *b, const flat_clause *c) {
  if (!b->rules.is_open[c->head]) return false;
  uint64_t rows = 0;
  uint32_t positives = 0;
  for (uint32_t i = 0; i < c->body_count; i++) {
    const flat_literal *l = &b->rules.program.literals.items[c->body + i];
    if (l->kind != LITERAL_POSITIVE) continue;
    rows += b->facts.tables[l->relation].count;
    positives++;
  }
  return positives > 2 && rows > SAMPLED_RELATION;
}

static const uint64_t *sampled_instances(bases *b, arena *keep) {
  const flat_program *f = &b->rules.program;
  uint64_t *instances = arena_zero_array(keep, uint64_t, f->clauses.count);
  arena *scratch = arena_new();
  for (flat_clause_id c = 0; c < f->clauses.count; c++) {
    const arena_mark mark = arena_save(scratch);
    if (is_worth_sampling(b, &f->clauses.items[c])) instances[c] = sample_instances(b, c, scratch);
    arena_restore(scratch, mark);
  }
  arena_free(scratch);
  return instances;
}

bool bases_decompose(bases *b, arena *keep, budget *limits, diag_sink *d) {
  const uint32_t relations = b->rules.program.relations.count;
  const uint32_t clauses = b->rules.program.clauses.count;
  rewriting decomposed;
  const uint64_t *instances = sampled_instances(b, keep);
  rewriting_decompose_all(&decomposed, &b->rules, instances, b->facts.tables, keep, limits);
  if (budget_is_spent(limits)) {
    budget_report(limits, d, "rules were being decomposed");
    return false;
  }
  if (decomposed.program.clauses.count == clauses) return true; /* nothing was worth it */
  b->rules = decomposed;
  const table *tables = b->facts.tables;
  engine_init(&b->facts, &b->rules.program, b->rules.is_open, b->tables_keep);
  memcpy(b->facts.tables, tables, relations * sizeof *tables);
  /* each new clause reads complete relations and those that new clauses before it define */
  for (flat_clause_id c = clauses; c < b->rules.program.clauses.count; c++)
    if (!engine_run_clause(&b->facts, c, limits, d)) return false;
  return true;
}

void bases_free(bases *b) {
  budget_unwatch(b->limits, b->tables_keep);
  arena_free(b->tables_keep);
  b->tables_keep = NULL;
}

/* ---- listing ---- */

static int compare_atoms(const void *left, const void *right, void *terms) {
  return term_compare(terms, *(const term_id *)left, *(const term_id *)right);
}

term_id *bases_atoms(const bases *b, symbol_id keyword, arena *keep, uint32_t *count) {
  const flat_program *f = &b->rules.program;
  VEC(term_id) atoms = {0};
  for (uint32_t i = f->relations_from[keyword]; i < f->relations_from[keyword + 1]; i++) {
    const flat_id r = f->relations_by_source.items[i];
    const table *t = &b->facts.tables[r];
    for (uint32_t row = 0; row < t->count && !budget_is_spent(b->limits); row++)
      vec_push(keep, &atoms, flat_atom(f, r, table_row(t, row)));
  }
  if (atoms.count && !budget_is_spent(b->limits))
    qsort_r(atoms.items, atoms.count, sizeof *atoms.items, compare_atoms, f->terms);
  *count = atoms.count;
  return atoms.items;
}
