/* Do base and input declare what can be true and done (Definition 5 of grounding-asp)? */
#include "ground/evaluate.h"

#include <string.h>

enum { ROWS_MAX = 10000 }; /* looked at to find the rule that a fact comes from */

typedef struct declaration {
  symbol_id from;     /* init, next or legal */
  symbol_id declared; /* base or input */
  diag_kind kind;
} declaration;

typedef struct checker {
  const bases *b;
  term_id *cells; /* room for a row */
  arena *keep;    /* of messages */
  arena *scratch;
  diag_sink *d;
} checker;

static const char *words_of(const checker *c, term_id t) {
  text out = text_new(c->keep);
  term_print(c->b->rules.program.terms, t, NOTATION_KIF, NULL, &out);
  return text_string(&out);
}

static bool is_fact(const checker *c, term_id atom) {
  flat_id r;
  return flat_find(&c->b->rules.program, atom, &r, c->cells) &&
         table_find(&c->b->facts.tables[r], c->cells) != ID_NONE;
}

static bool has_facts(const bases *b, symbol_id keyword) {
  const flat_program *f = &b->rules.program;
  for (uint32_t i = f->relations_from[keyword]; i < f->relations_from[keyword + 1]; i++)
    if (b->facts.tables[f->relations_by_source.items[i]].count) return true;
  return false;
}

/* ---- where a fact comes from ---- */

static bool stop_at_solution(void *context, const join *j) {
  (void)j;
  *(bool *)context = true;
  return false;
}

static bool stop_at_limit(void *context, join *j) {
  (void)context;
  (void)j;
  return false;
}

/* Whether the clause gives the row of its head's table. */
static bool clause_gives(const checker *k, flat_clause_id c, uint32_t row) {
  const flat_program *f = &k->b->rules.program;
  const flat_clause *it = &f->clauses.items[c];
  table *tables = k->b->facts.tables;
  if (it->body_count == 0)
    return memcmp(flat_args(f, it->head_args), table_row(&tables[it->head], row),
                  tables[it->head].arity * sizeof(term_id)) == 0;
  const arena_mark mark = arena_save(k->scratch);
  bool found = false;
  plan p;
  join j;
  plan_make(&p, f, tables, k->b->rules.is_open, c, PLAN_HEAD, k->scratch);
  join_init(&j, f, tables, &p, k->scratch);
  j.given = row;
  j.given_end = row + 1;
  j.try_limit = ROWS_MAX;
  join_run(&j, stop_at_solution, stop_at_limit, &found);
  arena_restore(k->scratch, mark);
  return found;
}

/* The first rule that gives the fact. */
static span place_of(const checker *k, flat_id r, uint32_t row) {
  const flat_program *f = &k->b->rules.program;
  for (flat_clause_id c = 0; c < f->clauses.count; c++) {
    if (f->clauses.items[c].head != r || !clause_gives(k, c, row)) continue;
    const rule_id rule = f->source->clauses.items[f->clauses.items[c].source].rule;
    if (rule != RULE_NONE) return program_span(f->source, f->source->rules.items[rule].node);
  }
  return SPAN_NONE;
}

/* ---- reports ---- */

/* False: none is declared, and to say so once is enough. */
static bool report(const checker *c, const declaration *it, flat_id r, uint32_t row, term_id atom) {
  const flat_program *f = &c->b->rules.program;
  const bool some_are = has_facts(c->b, it->declared);
  const span where = place_of(c, r, row);
  diag *g;
  if (some_are)
    g = diag_add(c->d, it->kind, where, "%s has no fact %s", words_of(c, atom),
                 words_of(c, atom_under(f, it->declared, atom)));
  else
    g = diag_add(c->d, it->kind, where, "the game declares no %s, not even for %s",
                 it->declared == SYM_BASE ? "base" : "input", words_of(c, atom));
  diag_hint(c->d, g,
            some_are ? "add it, or let --bases onestep find all" : "let --bases onestep find all");
  return some_are;
}

/* A move of what is no role is none. */
static bool is_missing(const checker *c, const declaration *it, term_id atom) {
  const flat_program *f = &c->b->rules.program;
  if (it->declared == SYM_INPUT &&
      !is_fact(c, term_atom(f->terms, SYM_ROLE, term_args(f->terms, atom), 1)))
    return false;
  return !is_fact(c, atom_under(f, it->declared, atom));
}

static void check_declaration(const checker *c, const declaration *it) {
  const flat_program *f = &c->b->rules.program;
  for (uint32_t i = f->relations_from[it->from]; i < f->relations_from[it->from + 1]; i++) {
    const flat_id r = f->relations_by_source.items[i];
    const table *facts = &c->b->facts.tables[r];
    for (uint32_t row = 0; row < facts->count; row++) {
      const term_id atom = flat_atom(f, r, table_row(facts, row));
      if (is_missing(c, it, atom) && !report(c, it, r, row, atom)) return;
    }
  }
}

void bases_check_declared(const bases *b, arena *keep, diag_sink *d) {
  static const declaration all[] = {{SYM_INIT, SYM_BASE, DIAG_E805},
                                    {SYM_NEXT, SYM_BASE, DIAG_W810},
                                    {SYM_LEGAL, SYM_INPUT, DIAG_W811}};
  arena *scratch = arena_new();
  const checker c = {b, flat_row_room(&b->rules.program, scratch), keep, scratch, d};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) check_declaration(&c, &all[i]);
  arena_free(scratch);
}
