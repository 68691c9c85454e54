#include "ground/simplify/ground_strata.h"

#include "base/graph.h"
#include "rules/unifier.h"

/* Heads, with edges to the atoms of their bodies. */
static graph graph_of_atoms(const ground_program *g, arena *scratch) {
  uint32_t *tails = arena_new_array(scratch, uint32_t, g->literals.count);
  uint32_t *heads = arena_new_array(scratch, uint32_t, g->literals.count);
  uint32_t count = 0;
  for (uint32_t r = 0; r < g->rules.count; r++)
    for (uint32_t i = 0; i < g->rules.items[r].body_count; i++, count++) {
      tails[count] = g->rules.items[r].head;
      heads[count] = literal_atom(g->literals.items[g->rules.items[r].body + i]);
    }
  return graph_new(scratch, g->atoms.count, tails, heads, count);
}

/* `head` reads `denied`, which depends on it. */
typedef struct paradox {
  atom_id head; /* ATOM_NONE: there is none */
  atom_id denied;
} paradox;

static paradox find_paradox(const ground_program *g, const uint32_t *component) {
  for (uint32_t r = 0; r < g->rules.count; r++) {
    const ground_rule *it = &g->rules.items[r];
    for (uint32_t i = 0; i < it->body_count; i++) {
      const ground_literal l = g->literals.items[it->body + i];
      if (literal_is_negated(l) && component[it->head] == component[literal_atom(l)])
        return (paradox){it->head, literal_atom(l)};
    }
  }
  return (paradox){ATOM_NONE, ATOM_NONE};
}

/* ---- the place in the rulesheet ---- */

/* The literal of the clause that denies the atom, or UINT32_MAX. */
static uint32_t find_denial(const program *p, const clause *c, unifier *u, term_id denied) {
  for (uint32_t i = c->body; i < c->body + c->body_count; i++)
    if (p->literals.items[i].kind == LITERAL_NEGATIVE &&
        terms_meet(u, p->literals.items[i].atom, denied))
      return i;
  return UINT32_MAX;
}

/* Simplifying may have joined rules, so that no clause has both atoms. */
static span place_of(const ground_program *g, const program *p, paradox x, arena *scratch) {
  unifier *u = unifier_new(g->terms, program_most_variables(p), scratch);
  const term_id head = g->atoms.items[x.head], denied = g->atoms.items[x.denied];
  if (head == TERM_NONE || denied == TERM_NONE) return SPAN_NONE;
  for (clause_id c = 0; c < p->clauses.count; c++) {
    if (!terms_meet(u, p->clauses.items[c].head, head)) continue;
    const uint32_t l = find_denial(p, &p->clauses.items[c], u, denied);
    if (l != UINT32_MAX) return program_span(p, p->literals.items[l].node);
  }
  return SPAN_NONE;
}

static void report(const ground_program *g, const program *p, paradox x, arena *scratch,
                   diag_sink *d) {
  text name = text_new(scratch);
  ground_name_atoms(g);
  term_print(g->terms, g->atoms.items[x.head], NOTATION_KIF, NULL, &name);
  diag *e = diag_add(d, DIAG_E501, place_of(g, p, x, scratch), "%s depends on its own negation",
                     text_string(&name));
  diag_hint(d, e, "such rules have no meaning; let one of them read the state, with true");
}

bool ground_is_stratified(const ground_program *g, const program *p, diag_sink *d) {
  arena *scratch = arena_new();
  const graph atoms = graph_of_atoms(g, scratch);
  uint32_t *component = arena_new_array(scratch, uint32_t, g->atoms.count);
  graph_components(&atoms, component, scratch);
  const paradox x = find_paradox(g, component);
  if (x.head != ATOM_NONE) report(g, p, x, scratch, d);
  arena_free(scratch);
  return x.head == ATOM_NONE;
}
