#include "ground/ground_strata.h"

#include "base/graph.h"

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

/* A head that depends on its own negation, or ATOM_NONE. */
static atom_id find_unstratified(const ground_program *g, const uint32_t *component) {
  for (uint32_t r = 0; r < g->rules.count; r++) {
    const ground_rule *it = &g->rules.items[r];
    for (uint32_t i = 0; i < it->body_count; i++) {
      const ground_literal l = g->literals.items[it->body + i];
      if (literal_is_negated(l) && component[it->head] == component[literal_atom(l)])
        return it->head;
    }
  }
  return ATOM_NONE;
}

bool ground_is_stratified(const ground_program *g, diag_sink *d) {
  arena *scratch = arena_new();
  const graph atoms = graph_of_atoms(g, scratch);
  uint32_t *component = arena_new_array(scratch, uint32_t, g->atoms.count);
  graph_components(&atoms, component, scratch);
  const atom_id a = find_unstratified(g, component);
  if (a != ATOM_NONE) {
    text name = text_new(scratch);
    ground_name_atoms(g);
    term_print(g->terms, g->atoms.items[a], NOTATION_KIF, NULL, &name);
    diag *e =
        diag_add(d, DIAG_E501, SPAN_NONE, "%s depends on its own negation", text_string(&name));
    diag_hint(d, e, "such rules have no meaning; let one of them read the state before, with true");
  }
  arena_free(scratch);
  return a == ATOM_NONE;
}
