#include "compile/decline.h"

#include "rules/unifier.h"

#include <stdarg.h>

void compile_decline(diag_sink *d, span where, const char *format, ...) {
  char message[256];
  va_list list;
  va_start(list, format);
  vsnprintf(message, sizeof message, format, list);
  va_end(list);
  diag *g = diag_add(d, DIAG_E840, where, "%s", message);
  diag_hint(d, g, "other machines may play it, such as `--machine reference`");
}

static span clause_span(const program *p, clause_id c) {
  const rule_id r = p->clauses.items[c].rule;
  return r == RULE_NONE ? SPAN_NONE : program_span(p, p->rules.items[r].node);
}

span flat_clause_span(const flat_program *f, const flat_clause *c) {
  return clause_span(f->source, c->source);
}

static bool is_known(span where) { return where.start != UINT32_MAX; }

/* Facts of the rulesheet are no flat clauses any more once they were evaluated. */
static span span_of_heads(const flat_program *f, const flat_relation *r) {
  const program *p = f->source;
  arena *scratch = arena_new();
  const uint32_t most = program_most_variables(p);
  unifier *u = unifier_new(f->terms, most > r->arity ? most : r->arity + 1, scratch);
  span found = SPAN_NONE;
  for (clause_id c = 0; c < p->clauses.count && !is_known(found); c++)
    if (terms_meet(u, p->clauses.items[c].head, r->skeleton)) found = clause_span(p, c);
  arena_free(scratch);
  return found;
}

static bool mentions(const flat_program *f, const flat_clause *c, flat_id relation) {
  for (uint32_t i = c->body; i < c->body + c->body_count; i++)
    if (f->literals.items[i].relation == relation) return true;
  return c->head == relation;
}

span flat_relation_span(const flat_program *f, flat_id relation) {
  span found = span_of_heads(f, &f->relations.items[relation]);
  for (flat_clause_id c = 0; c < f->clauses.count && !is_known(found); c++)
    if (mentions(f, &f->clauses.items[c], relation))
      found = flat_clause_span(f, &f->clauses.items[c]);
  return found;
}
