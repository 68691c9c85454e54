#include "prove/symbolic/rule_marks.h"

#include "prove/relation_marks.h"
#include "rules/analysis.h"

#include <stdlib.h>
#include <string.h>

/* ---- marking ---- */

/* mark(number) */
static term_id mark_of(program *p, rule_id rule) {
  char number[16];
  snprintf(number, sizeof number, "%u", rule);
  const term_id which = term_constant(p->terms, symbol_intern(p->symbols, slice_of(number)));
  return term_atom(p->terms, p->mark, &which, 1);
}

/* Declarations are no rules of play.  A rule whose body can be seen to be false has no clause. */
static void choose_rules(rule_marks *m, const program *p) {
  for (rule_id i = 0; i < p->rules.count; i++) {
    const rule *r = &p->rules.items[i];
    const symbol_id name = term_get(p->terms, r->head)->name;
    const bool is_declaration =
        name == SYM_BASE || name == SYM_INPUT || name == SYM_ROLE || name == SYM_INIT;
    if (r->body != r->body_end && !is_declaration) bitset_add(m->marked, i);
  }
}

static bool speaks_of_step(const program *p, const analysis *a, const clause *c) {
  const symbol_id name = term_get(p->terms, c->head)->name;
  if (name == SYM_NEXT || name == SYM_SEES) return true;
  for (uint32_t i = 0; i < c->body_count; i++) {
    const literal *l = &p->literals.items[c->body + i];
    if (l->kind == LITERAL_DISTINCT) continue;
    const relation_id r = atom_relation(p, l->atom);
    if (r == SYM_DOES || (r != RELATION_NONE && a->depends_on_does[r])) return true;
  }
  return false;
}

static void write_program(rule_marks *m, const program *p, arena *keep) {
  analysis a;
  rules_analyse(&a, p, keep);
  choose_rules(m, p);
  program_derive(&m->program, p, keep);
  m->program.mark = mark_name(p, "rule fires");
  for (clause_id i = 0; i < p->clauses.count; i++) {
    const clause *c = &p->clauses.items[i];
    const literal *body = c->body_count ? &p->literals.items[c->body] : NULL;
    program_add_clause(&m->program, c->head, c->rule, body, c->body_count, c->variable_count);
    if (c->rule == RULE_NONE || !bitset_has(m->marked, c->rule)) continue;
    m->needs_step[c->rule] |= speaks_of_step(p, &a, c);
    program_add_clause(&m->program, mark_of(&m->program, c->rule), c->rule, body, c->body_count,
                       c->variable_count);
  }
  program_index_relations(&m->program);
}

/* ---- reading the marks ---- */

static rule_id rule_of_mark(const circuit *c, term_id mark) {
  const slice digits = symbol_folded(c->terms->symbols, term_get(c->terms, mark)->name);
  rule_id rule = 0;
  for (size_t i = 0; i < digits.length; i++) rule = rule * 10 + (rule_id)(digits.start[i] - '0');
  return rule;
}

bool marks_open(rule_marks *m, const program *p, budget *b, arena *keep) {
  diag_sink unheard;
  *m = (rule_marks){.marked = bitset_new(keep, p->rules.count + 1),
                    .needs_step = arena_zero_array(keep, bool, p->rules.count + 1)};
  diag_sink_init(&unheard, keep);
  write_program(m, p, keep);
  const machine_source from = {.program = &m->program};
  if (!grounded_open(&m->g, &from, b, &unheard)) return false;
  const circuit *c = &m->g.circuit;
  m->rule_of = arena_new_array(keep, rule_id, c->marks.count + 1);
  for (uint32_t i = 0; i < c->marks.count; i++)
    m->rule_of[i] = rule_of_mark(c, c->marks.items[i].term);
  return true;
}

void marks_close(rule_marks *m) { grounded_close(&m->g); }
