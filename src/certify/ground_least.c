/* The least model of recursive rules, as clauses.

   'An atom holds exactly when the body of one of its rules does' lets atoms that depend on each
   other hold each other up.  So each atom of such a part gets a level, and must have a rule whose
   body holds and whose atoms of the same part have lower levels (the way of level mappings in
   answer set programming). */
#include "certify/ground_clauses.h"

#include "base/graph.h"

/* ---- which atoms are recursive ---- */

static graph dependencies(const ground_program *g, arena *keep) {
  id_vec tails = {0}, heads = {0};
  for (uint32_t i = 0; i < g->rules.count; i++) {
    const ground_rule *r = &g->rules.items[i];
    for (uint32_t k = 0; k < r->body_count; k++) {
      vec_push(keep, &tails, r->head);
      vec_push(keep, &heads, literal_atom(g->literals.items[r->body + k]));
    }
  }
  return graph_new(keep, g->atoms.count, tails.items, heads.items, tails.count);
}

void ground_clauses_find_parts(ground_clauses *c) {
  const ground_program *g = c->g;
  if (c->part) return;
  arena *scratch = arena_new();
  const graph needs = dependencies(g, scratch);
  c->part = arena_new_array(c->keep, uint32_t, g->atoms.count + 1);
  c->part_size = arena_zero_array(c->keep, uint32_t, g->atoms.count + 1);
  const uint32_t parts = graph_components(&needs, c->part, scratch);
  c->order = graph_order(&needs, c->part, parts, c->keep);
  uint32_t *sizes = arena_zero_array(scratch, uint32_t, parts + 1);
  for (atom_id a = 0; a < g->atoms.count; a++) sizes[c->part[a]]++;
  for (atom_id a = 0; a < g->atoms.count; a++) {
    bool is_recursive = sizes[c->part[a]] > 1;
    for (uint32_t i = needs.from[a]; i < needs.from[a + 1]; i++) is_recursive |= needs.to[i] == a;
    c->part_size[a] = is_recursive ? sizes[c->part[a]] : 0;
  }
  arena_free(scratch);
}

/* ---- levels ---- */

static uint32_t bits_for(uint32_t count) {
  uint32_t bits = 1;
  while (bits < 31 && UINT32_C(1) << bits < count) bits++;
  return bits;
}

static clause_literal *new_level(ground_clauses *c, atom_id a) {
  const uint32_t bits = bits_for(c->part_size[a]);
  clause_literal *level = arena_new_array(c->keep, clause_literal, bits);
  for (uint32_t i = 0; i < bits; i++) level[i] = clauses_new_variable(c);
  return level;
}

static clause_literal both(ground_clauses *c, clause_literal a, clause_literal b) {
  return clauses_all(c, (const clause_literal[]){a, b}, 2);
}

static clause_literal either(ground_clauses *c, clause_literal a, clause_literal b) {
  return clauses_any(c, (const clause_literal[]){a, b}, 2);
}

/* Numbers, the lowest bit first. */
static clause_literal is_less(ground_clauses *c, const clause_literal *a, const clause_literal *b,
                              uint32_t bits) {
  clause_literal less = -c->truth;
  for (uint32_t i = 0; i < bits; i++)
    less = either(c, both(c, -a[i], b[i]), both(c, either(c, -a[i], b[i]), less));
  return less;
}

/* The body holds, and what it has of the same part is lower. */
static clause_literal support(ground_clauses *c, const ground_rule *r, uint32_t time,
                              clause_literal **levels) {
  literal_vec all = {0};
  const uint32_t bits = bits_for(c->part_size[r->head]);
  for (uint32_t i = 0; i < r->body_count; i++) {
    const ground_literal l = c->g->literals.items[r->body + i];
    const atom_id a = literal_atom(l);
    const clause_literal holds = ground_clauses_atom(c, a, time);
    vec_push(c->keep, &all, literal_is_negated(l) ? -holds : holds);
    if (c->part[a] == c->part[r->head])
      vec_push(c->keep, &all, is_less(c, levels[a], levels[r->head], bits));
  }
  return clauses_all(c, all.items, all.count);
}

static void give_level(ground_clauses *c, asked_atom it) {
  ground_moment *m = &c->moments.items[it.time];
  if (!m->levels) m->levels = arena_zero_array(c->keep, clause_literal *, c->g->atoms.count + 1);
  m->levels[it.atom] = new_level(c, it.atom);
}

static void require_support(ground_clauses *c, asked_atom it) {
  const ground_program *g = c->g;
  literal_vec clause = {0};
  vec_push(c->keep, &clause, -ground_clauses_atom(c, it.atom, it.time));
  for (uint32_t i = g->rules_of[it.atom]; i < g->rules_of[it.atom + 1]; i++)
    vec_push(c->keep, &clause,
             support(c, &g->rules.items[i], it.time, c->moments.items[it.time].levels));
  clauses_add(c, clause.items, clause.count);
}

/* When an atom is requested, so is the rest of its component. */
bool ground_clauses_make_least(ground_clauses *c) {
  const uint32_t first = c->least;
  bool is_new = false;
  ground_clauses_find_parts(c);
  for (uint32_t i = first; i < c->asked.count; i++)
    if (c->part_size[c->asked.items[i].atom]) give_level(c, c->asked.items[i]);
  for (; c->least < c->asked.count; c->least++) {
    if (!c->part_size[c->asked.items[c->least].atom]) continue;
    require_support(c, c->asked.items[c->least]);
    is_new = true;
  }
  return is_new;
}
