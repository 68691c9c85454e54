#include "prove/relation_marks.h"

#include "read/canonical.h"
#include "rules/analysis.h"

#include <stdio.h>
#include <string.h>

/* ---- which ---- */

/* Of the keywords only `role` is like any other relation. */
bitset relations_of_states(const program *p, arena *keep) {
  analysis a;
  const bitset found = bitset_new(keep, p->relations.count + 1);
  rules_analyse(&a, p, keep);
  for (relation_id r = 0; r < p->relations.count; r++) {
    const bool is_keyword = r < KEYWORD_RELATION_COUNT && r != SYM_ROLE;
    if (!is_keyword && p->relations.items[r].clause_count && !a.depends_on_does[r])
      bitset_add(found, r);
  }
  return found;
}

static void add_named(const program *p, bitset of_states, symbol_id name, bitset named) {
  for (relation_id r = 0; r < p->relations.count; r++)
    if (bitset_has(of_states, r) && p->relations.items[r].name == name) bitset_insert(named, r);
}

void relations_named(const program *p, bitset of_states, const char *formula, bitset named,
                     arena *scratch) {
  for (const char *at = formula; *at;) {
    const size_t length = canonical_name_length(at);
    if (length) {
      const symbol_id name = canonical_find(p->symbols, (slice){at, length}, scratch);
      if (name != SYM_NONE) add_named(p, of_states, name, named);
    }
    at += length ? length : 1;
  }
}

/* ---- marks ---- */

symbol_id mark_name(const program *p, const char *stem) {
  for (uint32_t number = 0;; number++) {
    char name[40];
    const int length = snprintf(name, sizeof name, "%s %u", stem, number);
    const slice s = {name, (size_t)length};
    if (symbol_find(p->symbols, s) == SYM_NONE) return symbol_intern(p->symbols, s);
  }
}

/* mark(r(?0, ?1)) <= r(?0, ?1) */
static void add_mark(program *out, const relation *r, arena *keep) {
  term_table *t = out->terms;
  term_id *variables = arena_new_array(keep, term_id, r->arity + (size_t)1);
  for (uint32_t i = 0; i < r->arity; i++) variables[i] = term_variable(t, i);
  const literal body = {.kind = LITERAL_POSITIVE,
                        .atom = r->arity ? term_atom(t, r->name, variables, r->arity)
                                         : term_constant(t, r->name)};
  program_add_clause(out, term_atom(t, out->mark, &body.atom, 1), RULE_NONE, &body, 1, r->arity);
}

void relations_mark(program *out, const program *p, bitset marked, arena *keep) {
  program_derive(out, p, keep);
  out->mark = mark_name(p, "holds");
  program_copy_clauses(out, p, NULL);
  for (relation_id r = 0; r < p->relations.count; r++)
    if (bitset_has(marked, r)) add_mark(out, &p->relations.items[r], keep);
  program_index_relations(out);
}
