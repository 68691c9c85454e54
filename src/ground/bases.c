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

/* ---- attempts ----

   Whether a relation's negation can be trusted is a property of the rules without the links:
   keyword relations come first and the links mention no others, so the numbers agree. */

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

/* Facts that are there before evaluation begins. */
typedef struct given_facts {
  arena *keep;
  uint32_t count; /* of flat relations */
  table *tables;
} given_facts;

static void add_given(engine *e, const given_facts *given) {
  for (flat_id r = 0; r < given->count; r++)
    for (uint32_t row = 0; row < given->tables[r].count; row++)
      engine_add(e, r, table_row(&given->tables[r], row));
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
static bool evaluate(bases *b, const rewriting *original, const given_facts *given, arena *keep,
                     budget *limits, diag_sink *d) {
  b->rules = *original;
  attempt a = attempt_new(&b->rules, 0, keep);
  for (b->attempts = 1;; b->attempts++) {
    b->tables_keep = arena_new();
    budget_watch(limits, b->tables_keep);
    engine_init(&b->facts, &b->rules.program, b->rules.is_open, b->tables_keep);
    if (given) add_given(&b->facts, given);
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

/* ---- one generation after another (grounding-tabling, 4.1) ---- */

enum { PLAYED_STATES_MAX = 1000 };

static void forget_given(given_facts *given) {
  for (flat_id r = 0; r < given->count; r++) table_init(&given->tables[r], given->tables[r].arity, given->keep);
}

static given_facts given_new(const flat_program *f, arena *keep) {
  given_facts g = {.count = f->relations.count, .keep = keep,
                   .tables = arena_new_array(keep, table, f->relations.count)};
  for (flat_id r = 0; r < g.count; r++) table_init(&g.tables[r], f->relations.items[r].arity, keep);
  return g;
}

/* The rules that tie true and does to what can follow are left out: each round brings them anew. */
static void drop_links(flat_program *f) {
  uint32_t kept = 0;
  for (flat_clause_id c = 0; c < f->clauses.count; c++) {
    const relation_id head = f->relations.items[f->clauses.items[c].head].relation;
    if (head != SYM_TRUE && head != SYM_DOES) f->clauses.items[kept++] = f->clauses.items[c];
  }
  f->clauses.count = kept;
}

static term_id under(const flat_program *f, symbol_id keyword, term_id atom) {
  return term_compound(f->terms, keyword, term_args(f->terms, atom), term_get(f->terms, atom)->arg_count);
}

static bool is_role(const engine *e, term_id role) {
  const term_id atom = term_compound(e->f->terms, SYM_ROLE, &role, 1);
  flat_id r;
  term_id cells[1];
  return flat_find(e->f, atom, &r, cells) && table_find(&e->tables[r], cells) != ID_NONE;
}

static uint32_t widest(const flat_program *f) {
  uint32_t most = 1;
  for (flat_id r = 0; r < f->relations.count; r++)
    if (f->relations.items[r].arity > most) most = f->relations.items[r].arity;
  return most;
}

/* Gives every fact of `from` under the keyword `to`.  True: there was a new one. */
static bool give_all(given_facts *given, const engine *e, symbol_id from, symbol_id to) {
  const flat_program *f = e->f;
  term_id *cells = arena_new_array(given->keep, term_id, widest(f));
  bool changed = false;
  for (uint32_t i = f->relations_from[from]; i < f->relations_from[from + 1]; i++) {
    const flat_id source = f->relations_by_source.items[i];
    for (uint32_t row = 0; row < e->tables[source].count; row++) {
      const term_id atom = flat_atom(f, source, table_row(&e->tables[source], row));
      flat_id r;
      if (to == SYM_DOES && !is_role(e, term_arg(f->terms, atom, 0))) continue;
      if (!flat_find(f, under(f, to, atom), &r, cells)) continue;
      const uint32_t before = given->tables[r].count;
      table_insert(&given->tables[r], cells);
      changed |= given->tables[r].count != before;
    }
  }
  return changed;
}

static uint64_t hash_of_given(const given_facts *given) {
  uint64_t hash = 0;
  for (flat_id r = 0; r < given->count; r++)
    for (uint32_t row = 0; row < given->tables[r].count; row++)
      hash += hash_mix(hash_ids(table_row(&given->tables[r], row), given->tables[r].arity) + r);
  return hash;
}

/* Plays from the start with nobody moving, by the real rules, until a state is empty or comes again,
   and gives every fluent met: step counters are run through at once. */
static bool play_without_moves(given_facts *all, const rewriting *rules, arena *keep, budget *limits,
                               diag_sink *d) {
  given_facts state = given_new(&rules->program, keep);
  VEC(uint64_t) seen = {0};
  symbol_id from = SYM_INIT;
  for (uint32_t n = 0; n < PLAYED_STATES_MAX; n++, from = SYM_NEXT) {
    arena *scratch = arena_new();
    engine e;
    engine_init(&e, &rules->program, NULL, scratch);
    if (n) add_given(&e, &state);
    const bool ok = engine_run(&e, limits, d);
    forget_given(&state);
    const bool is_empty = ok && !give_all(&state, &e, from, SYM_TRUE);
    if (ok) give_all(all, &e, from, SYM_TRUE);
    arena_free(scratch);
    if (!ok) return false;
    const uint64_t hash = hash_of_given(&state);
    bool is_old = is_empty;
    for (uint32_t i = 0; i < seen.count; i++) is_old |= seen.items[i] == hash;
    if (is_old) return true;
    vec_push(keep, &seen, hash);
  }
  return true;
}

static bool evaluate_generations(bases *b, const rewriting *rules, bool is_stratified, arena *keep,
                                 budget *limits, diag_sink *d) {
  given_facts given = given_new(&rules->program, keep);
  if (is_stratified && !play_without_moves(&given, rules, keep, limits, d)) return false;
  for (b->rounds = 1;; b->rounds++) {
    if (!evaluate(b, rules, &given, keep, limits, d)) return false;
    bool changed = give_all(&given, &b->facts, SYM_INIT, SYM_TRUE);
    changed |= give_all(&given, &b->facts, SYM_NEXT, SYM_TRUE);
    changed |= give_all(&given, &b->facts, SYM_LEGAL, SYM_DOES);
    if (!changed) return true;
    budget_unwatch(limits, b->tables_keep);
    arena_free(b->tables_keep);
    b->tables_keep = NULL;
  }
}

/* ---- what the game declares ---- */

static const char *words_of(const flat_program *f, term_id t, arena *keep) {
  text out = text_new(keep);
  term_print(f->terms, t, NOTATION_KIF, NULL, &out);
  return text_string(&out);
}

/* Reports the facts of `from` that have no fact of `declared` (Definition 5 of grounding-asp). */
static void check_declared(const bases *b, symbol_id from, symbol_id declared, diag_kind kind,
                           arena *keep, diag_sink *d) {
  const flat_program *f = &b->rules.program;
  term_id *cells = arena_new_array(keep, term_id, widest(f));
  for (uint32_t i = f->relations_from[from]; i < f->relations_from[from + 1]; i++) {
    const flat_id source = f->relations_by_source.items[i];
    for (uint32_t row = 0; row < b->facts.tables[source].count; row++) {
      const term_id atom = flat_atom(f, source, table_row(&b->facts.tables[source], row));
      flat_id r;
      if (declared == SYM_INPUT && !is_role(&b->facts, term_arg(f->terms, atom, 0))) continue;
      if (flat_find(f, under(f, declared, atom), &r, cells) &&
          table_find(&b->facts.tables[r], cells) != ID_NONE)
        continue;
      diag *g = diag_add(d, kind, SPAN_NONE, "%s has no fact %s", words_of(f, atom, keep),
                         words_of(f, under(f, declared, atom), keep));
      diag_hint(d, g, "add it, or let --bases onestep find all");
    }
  }
}

static void check_declarations(const bases *b, arena *keep, diag_sink *d) {
  check_declared(b, SYM_INIT, SYM_BASE, DIAG_E805, keep, d);
  check_declared(b, SYM_NEXT, SYM_BASE, DIAG_W810, keep, d);
  check_declared(b, SYM_LEGAL, SYM_INPUT, DIAG_W811, keep, d);
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
  analysis a;
  rules_analyse(&a, p, keep);
  if (m == BASES_ITERATIVE) drop_links(&flat);
  rewriting original;
  rewriting_none(&original, &flat, a.is_open, keep);
  if (m == BASES_ITERATIVE)
    return evaluate_generations(b, &original, a.stratified, keep, limits, d);
  const uint32_t errors = d->errors;
  if (!evaluate(b, &original, NULL, keep, limits, d)) return false;
  if (m == BASES_DECLARED) check_declarations(b, keep, d);
  return d->errors == errors;
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
