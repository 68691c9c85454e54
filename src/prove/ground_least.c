/* The least model of recursive rules, as clauses.

   'An atom holds exactly when the body of one of its rules does' lets atoms that depend on each
   other hold each other up.  So each atom of such a part gets a level, and must have a rule whose
   body holds and whose atoms of the same part have lower levels (the way of level mappings in
   answer set programming). */
#include "prove/ground_clauses.h"

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

/* By atom: how many atoms its part has, 0 where it does not depend on itself. */
static void find_parts(ground_clauses *c) {
  const ground_program *g = c->g;
  const graph needs = dependencies(g, c->keep);
  c->part = arena_new_array(c->keep, uint32_t, g->atoms.count + 1);
  c->part_size = arena_zero_array(c->keep, uint32_t, g->atoms.count + 1);
  const uint32_t parts = graph_components(&needs, c->part, c->keep);
  uint32_t *sizes = arena_zero_array(c->keep, uint32_t, parts + 1);
  for (atom_id a = 0; a < g->atoms.count; a++) sizes[c->part[a]]++;
  for (atom_id a = 0; a < g->atoms.count; a++) {
    bool is_recursive = sizes[c->part[a]] > 1;
    for (uint32_t i = needs.from[a]; i < needs.from[a + 1]; i++) is_recursive |= needs.to[i] == a;
    c->part_size[a] = is_recursive ? sizes[c->part[a]] : 0;
    c->has_recursion |= is_recursive;
  }
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
  VEC(clause_literal) all = {0};
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

static void require_least(ground_clauses *c, uint32_t time) {
  const ground_program *g = c->g;
  clause_literal **levels = arena_zero_array(c->keep, clause_literal *, g->atoms.count + 1);
  for (atom_id a = 0; a < g->atoms.count; a++)
    if (c->part_size[a]) levels[a] = new_level(c, a);
  for (atom_id a = 0; a < g->atoms.count; a++) {
    VEC(clause_literal) clause = {0};
    if (!c->part_size[a]) continue;
    vec_push(c->keep, &clause, -ground_clauses_atom(c, a, time));
    for (uint32_t i = g->rules_of[a]; i < g->rules_of[a + 1]; i++)
      vec_push(c->keep, &clause, support(c, &g->rules.items[i], time, levels));
    clauses_add(c, clause.items, clause.count);
  }
}

bool ground_clauses_make_least(ground_clauses *c) {
  if (!c->part) find_parts(c);
  if (!c->has_recursion || c->least_moments == c->moments.count) return false;
  while (c->least_moments < c->moments.count) require_least(c, c->least_moments++);
  return true;
}
