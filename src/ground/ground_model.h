/* Ground rules evaluated naively: for tests, the fuzz target and tools/replay_ground.

   Atoms are taken in the order of their dependence; within a strongly connected component the rules
   are tried until nothing changes.  The arena holds everything. */
#ifndef TABIA_GROUND_GROUND_MODEL_H
#define TABIA_GROUND_GROUND_MODEL_H

#include "base/graph.h"
#include "ground/ground.h"

typedef struct ground_model {
  const ground_program *g;
  bool *holds;   /* by atom */
  bool *is_leaf; /* by atom: given from outside */
  uint32_t *component;
  atom_id *order;  /* all atoms, by component */
  bool stratified; /* no atom depends on its own negation */
} ground_model;

static inline graph model_dependencies(const ground_program *g, arena *keep) {
  id_vec tails = {0};
  id_vec heads = {0};
  for (uint32_t r = 0; r < g->rules.count; r++)
    for (uint32_t i = 0; i < g->rules.items[r].body_count; i++) {
      vec_push(keep, &tails, g->rules.items[r].head);
      vec_push(keep, &heads, literal_atom(g->literals.items[g->rules.items[r].body + i]));
    }
  return graph_new(keep, g->atoms.count, tails.items, heads.items, tails.count);
}

static inline bool model_is_stratified(const ground_model *m) {
  const ground_program *g = m->g;
  for (uint32_t r = 0; r < g->rules.count; r++)
    for (uint32_t i = 0; i < g->rules.items[r].body_count; i++) {
      const ground_literal l = g->literals.items[g->rules.items[r].body + i];
      if (literal_is_negated(l) &&
          m->component[literal_atom(l)] == m->component[g->rules.items[r].head])
        return false;
    }
  return true;
}

static inline ground_model model_new(const ground_program *g, arena *keep) {
  ground_model m = {.g = g,
                    .holds = arena_zero_array(keep, bool, g->atoms.count + 1),
                    .is_leaf = arena_zero_array(keep, bool, g->atoms.count + 1),
                    .component = arena_new_array(keep, uint32_t, g->atoms.count + 1)};
  const graph dependencies = model_dependencies(g, keep);
  const uint32_t components = graph_components(&dependencies, m.component, keep);
  m.order = graph_order(&dependencies, m.component, components, keep);
  for (uint32_t i = 0; i < g->fluents.count; i++)
    if (g->fluents.items[i].holds != ATOM_NONE) m.is_leaf[g->fluents.items[i].holds] = true;
  for (uint32_t i = 0; i < g->moves.count; i++)
    if (g->moves.items[i].does != ATOM_NONE) m.is_leaf[g->moves.items[i].does] = true;
  m.stratified = model_is_stratified(&m);
  return m;
}

/* `is_true` is by fluent.  No move is done. */
static inline void model_set_state(ground_model *m, const bool *is_true) {
  const ground_program *g = m->g;
  for (uint32_t i = 0; i < g->fluents.count; i++)
    if (g->fluents.items[i].holds != ATOM_NONE) m->holds[g->fluents.items[i].holds] = is_true[i];
  for (uint32_t i = 0; i < g->moves.count; i++)
    if (g->moves.items[i].does != ATOM_NONE) m->holds[g->moves.items[i].does] = false;
}

/* `move` is an index of ground_program.moves. */
static inline void model_do(ground_model *m, uint32_t move) {
  if (m->g->moves.items[move].does != ATOM_NONE) m->holds[m->g->moves.items[move].does] = true;
}

static inline bool model_body_holds(const ground_model *m, const ground_rule *r) {
  for (uint32_t i = 0; i < r->body_count; i++) {
    const ground_literal l = m->g->literals.items[r->body + i];
    if (m->holds[literal_atom(l)] == literal_is_negated(l)) return false;
  }
  return true;
}

static inline bool model_derives(const ground_model *m, atom_id a) {
  for (uint32_t r = m->g->rules_of[a]; r < m->g->rules_of[a + 1]; r++)
    if (model_body_holds(m, &m->g->rules.items[r])) return true;
  return false;
}

/* One pass over the atoms order[start] .. order[end-1].  True: something new holds. */
static inline bool model_pass(ground_model *m, uint32_t start, uint32_t end) {
  bool changed = false;
  for (uint32_t i = start; i < end; i++) {
    const atom_id a = m->order[i];
    if (m->is_leaf[a] || m->holds[a] || !model_derives(m, a)) continue;
    m->holds[a] = changed = true;
  }
  return changed;
}

static inline void model_evaluate(ground_model *m) {
  const uint32_t atoms = m->g->atoms.count;
  for (atom_id a = 0; a < atoms; a++) m->holds[a] &= m->is_leaf[a];
  for (uint32_t start = 0, end; start < atoms; start = end) {
    for (end = start; end < atoms && m->component[m->order[end]] == m->component[m->order[start]];)
      end++;
    while (model_pass(m, start, end) && end - start > 1) continue;
  }
}

static inline bool model_has(const ground_model *m, atom_id a) {
  return a != ATOM_NONE && m->holds[a];
}

#endif
