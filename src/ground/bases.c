#include "ground/bases.h"

#include <stdlib.h>
#include <string.h>

static const char *const method_names[] = {"onestep", "declared", "iterative"};

const char *bases_method_name(bases_method m) { return method_names[m]; }

bool bases_method_find(const char *name, bases_method *m) {
  for (size_t i = 0; i < sizeof method_names / sizeof *method_names; i++) {
    if (strcmp(name, method_names[i]) != 0) continue;
    *m = (bases_method)i;
    return true;
  }
  return false;
}

/* ---- the rules that are added ---- */

static void copy_clauses(program *to, const program *from) {
  for (clause_id c = 0; c < from->clauses.count; c++) {
    const clause *it = &from->clauses.items[c];
    program_add_clause(to, it->head, it->rule, from->literals.items + it->body, it->body_count,
                       it->variable_count);
  }
}

static literal positive(term_id atom) {
  return (literal){.kind = LITERAL_POSITIVE, .atom = atom, .node = UINT32_MAX};
}

/* true(?0) <= from(?0) */
static void link_fluents(program *p, symbol_id from) {
  const term_id fluent = term_variable(p->terms, 0);
  const literal body = positive(term_compound(p->terms, from, &fluent, 1));
  program_add_clause(p, term_compound(p->terms, SYM_TRUE, &fluent, 1), RULE_NONE, &body, 1, 1);
}

/* does(?0, ?1) <= role(?0), from(?0, ?1) */
static void link_moves(program *p, symbol_id from) {
  const term_id args[2] = {term_variable(p->terms, 0), term_variable(p->terms, 1)};
  const literal body[2] = {positive(term_compound(p->terms, SYM_ROLE, args, 1)),
                           positive(term_compound(p->terms, from, args, 2))};
  program_add_clause(p, term_compound(p->terms, SYM_DOES, args, 2), RULE_NONE, body, 2, 2);
}

static void link_program(program *linked, const program *p, bases_method m, arena *keep) {
  program_derive(linked, p, keep);
  copy_clauses(linked, p);
  if (m == BASES_ONESTEP) {
    link_fluents(linked, SYM_INIT);
    link_fluents(linked, SYM_NEXT);
    link_moves(linked, SYM_LEGAL);
  } else if (m == BASES_DECLARED) {
    link_fluents(linked, SYM_BASE);
    link_moves(linked, SYM_INPUT);
  }
  program_index_relations(linked);
}

/* ---- attempts ---- */

enum {
  FIRST_PATIENCE = 100000, /* rows that a clause may look at before it is doubted */
  DOUBTFUL_SHARE = 16,     /* a clause with this share of them is looked at along with another */
  DOUBTFUL_ROWS = 30000,   /* a relation with as many facts is */
  ATTEMPTS_MAX = 24,
};

/* What this attempt has found too costly. */
typedef struct attempt {
  const rewriting *rules; /* under evaluation */
  uint64_t patience;
  uint64_t *costs;        /* by flat clause: what it cost, if it is to be decomposed */
  bool *demand;           /* by flat relation: to be restricted, or restricted already */
  bool *is_demanded;      /* by flat relation: restricted already */
} attempt;

/* Clauses that look at many rows and can be decomposed.  True: together they cost so much that it
   pays to begin anew. */
static bool doubt_clauses(attempt *a, engine *e) {
  uint64_t total = 0;
  uint64_t doubtful = 0;
  for (flat_clause_id c = 0; c < e->f->clauses.count; c++) {
    total += e->effort[c];
    if (e->effort[c] < a->patience / DOUBTFUL_SHARE) continue;
    if (!decomposition_helps(a->rules, e->tables, c, e->effort[c])) continue;
    a->costs[c] = e->effort[c];
    doubtful += e->effort[c];
  }
  return doubtful * 4 > total;
}

/* Relations with many facts, and more to come, that can be restricted to those asked for. */
static bool doubt_relations(attempt *a, const engine *e, uint32_t component) {
  bool found = false;
  for (flat_id r = 0; r < e->f->relations.count; r++) {
    if (a->demand[r] || e->component[r] < component || e->tables[r].count < DOUBTFUL_ROWS) continue;
    found |= demand_find(a->rules, r, a->demand);
  }
  return found;
}

static bool doubt(void *context, engine *e, flat_clause_id c) {
  attempt *a = context;
  const bool clauses = doubt_clauses(a, e);
  const bool relations = doubt_relations(a, e, e->component[e->f->clauses.items[c].head]);
  return clauses || relations;
}

static attempt attempt_new(const rewriting *rules, uint32_t number, arena *keep) {
  const uint32_t relations = rules->program.relations.count;
  return (attempt){.rules = rules,
                   .patience = (uint64_t)FIRST_PATIENCE << number,
                   .costs = arena_zero_array(keep, uint64_t, rules->program.clauses.count),
                   .demand = arena_zero_array(keep, bool, relations),
                   .is_demanded = arena_zero_array(keep, bool, relations)};
}

/* Whether a relation's negation can be trusted is a property of the rules without the links:
   keyword relations come first and the links mention no others, so the numbers agree. */
static const bool *open_relations(const program *p, arena *keep) {
  analysis a;
  rules_analyse(&a, p, keep);
  return a.is_open;
}

/* The rules as this attempt would have had them. */
static rewriting improved(const attempt *a, const bases *b, arena *keep) {
  rewriting decomposed;
  rewriting_decompose(&decomposed, &b->rules, a->costs, b->facts.tables, keep);
  bool *demand = arena_zero_array(keep, bool, decomposed.program.relations.count);
  for (flat_id r = 0; r < b->rules.program.relations.count; r++)
    demand[r] = a->demand[r] && !a->is_demanded[r];
  rewriting result;
  rewriting_demand(&result, &decomposed, demand, keep);
  return result;
}

/* Evaluates; when something is too costly, rewrites the program and evaluates again.  The tables
   so far tell the rewriting how many rows to expect; each attempt has an arena for its own. */
static bool evaluate(bases *b, const rewriting *original, arena *keep, budget *limits,
                     diag_sink *d) {
  b->rules = *original;
  attempt a = attempt_new(&b->rules, 0, keep);
  for (b->attempts = 1;; b->attempts++) {
    b->tables_keep = arena_new();
    budget_watch(limits, b->tables_keep);
    engine_init(&b->facts, &b->rules.program, b->rules.is_open, b->tables_keep);
    if (b->attempts < ATTEMPTS_MAX) engine_set_doubt(&b->facts, doubt, &a, a.patience);
    if (engine_run(&b->facts, limits, d)) return true;
    if (!b->facts.stopped_by_doubt) return false;
    const uint32_t relations = b->rules.program.relations.count;
    b->rules = improved(&a, b, keep);
    attempt next = attempt_new(&b->rules, b->attempts, keep);
    for (flat_id r = 0; r < relations; r++) next.demand[r] = next.is_demanded[r] = a.demand[r];
    a = next;
    budget_unwatch(limits, b->tables_keep);
    arena_free(b->tables_keep);
  }
}

bool bases_compute(bases *b, const program *p, bases_method m, arena *keep, budget *limits,
                   diag_sink *d) {
  *b = (bases){0};
  link_program(&b->linked, p, m, keep);
  flat_program flat;
  if (!flatten(&flat, &b->linked, keep, limits, d)) {
    if (limits) budget_report(limits, d, "the shapes of atoms were being found");
    return false;
  }
  rewriting original;
  rewriting_none(&original, &flat, open_relations(p, keep), keep);
  return evaluate(b, &original, keep, limits, d);
}

bool bases_decompose(bases *b, arena *keep, budget *limits, diag_sink *d) {
  const uint32_t relations = b->rules.program.relations.count;
  const uint32_t clauses = b->rules.program.clauses.count;
  rewriting decomposed;
  rewriting_decompose(&decomposed, &b->rules, NULL, b->facts.tables, keep);
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
    for (uint32_t row = 0; row < t->count; row++)
      vec_push(keep, &atoms, flat_atom(f, r, table_row(t, row)));
  }
  if (atoms.count) qsort_r(atoms.items, atoms.count, sizeof *atoms.items, compare_atoms, f->terms);
  *count = atoms.count;
  return atoms.items;
}
