/* The meaning of rules in the plainest way, for tests to compare with: every clause is tried on
   all facts until nothing new follows, one strongly connected component after another. */
#ifndef TABIA_DATALOG_NAIVE_FIXTURE_H
#define TABIA_DATALOG_NAIVE_FIXTURE_H

#include "rules/analysis.h"

#include <string.h>

typedef VEC(term_id) term_vec;

typedef struct naive {
  const program *p;
  arena *keep;
  analysis a;
  const bool *is_open; /* by relation: its negation is taken to hold; NULL: none is */
  term_vec *facts;     /* by relation */
  VEC(bool) is_fact;   /* by term */
} naive;

static inline void naive_init(naive *n, const program *p, const bool *is_open, arena *keep) {
  *n = (naive){.p = p, .keep = keep, .is_open = is_open};
  rules_analyse(&n->a, p, keep);
  n->facts = arena_zero_array(keep, term_vec, p->relations.count);
}

static inline bool naive_has(const naive *n, term_id atom) {
  return atom < n->is_fact.count && n->is_fact.items[atom];
}

/* True: it is new. */
static inline bool naive_add(naive *n, term_id atom) {
  const relation_id r = atom_relation(n->p, atom);
  if (r == RELATION_NONE || naive_has(n, atom)) return false;
  while (n->is_fact.count <= atom) vec_push(n->keep, &n->is_fact, false);
  n->is_fact.items[atom] = true;
  vec_push(n->keep, &n->facts[r], atom);
  return true;
}

static inline bool naive_match(const term_table *t, term_id pattern, term_id value,
                               term_id *bindings) {
  const term *it = term_get(t, pattern);
  const term *other = term_get(t, value);
  if (it->is_variable) {
    if (bindings[it->name] == TERM_NONE) bindings[it->name] = value;
    return bindings[it->name] == value;
  }
  if (it->name != other->name || it->arg_count != other->arg_count) return false;
  for (uint32_t i = 0; i < it->arg_count; i++)
    if (!naive_match(t, term_arg(t, pattern, i), term_arg(t, value, i), bindings)) return false;
  return true;
}

/* A negation or `distinct`, under bindings for all its variables. */
static inline bool naive_check(const naive *n, const literal *l, const term_id *bindings) {
  term_table *t = n->p->terms;
  term_id atom;
  if (l->kind == LITERAL_DISTINCT)
    return !term_equal_under(t, term_arg(t, l->atom, 0), term_arg(t, l->atom, 1), bindings);
  if (!term_substitute(t, l->atom, bindings, &atom)) return true;
  const relation_id r = atom_relation(n->p, atom);
  return (n->is_open && r != RELATION_NONE && n->is_open[r]) || !naive_has(n, atom);
}

static inline bool naive_conclude(naive *n, const clause *c, const term_id *bindings) {
  for (uint32_t i = 0; i < c->body_count; i++) {
    const literal *l = &n->p->literals.items[c->body + i];
    if (l->kind != LITERAL_POSITIVE && !naive_check(n, l, bindings)) return false;
  }
  term_id head;
  return term_substitute(n->p->terms, c->head, bindings, &head) && naive_add(n, head);
}

/* Fits the positive literals from `i` on to facts in every way. */
static inline bool naive_fit(naive *n, const clause *c, uint32_t i, const term_id *bindings) {
  const program *p = n->p;
  while (i < c->body_count && p->literals.items[c->body + i].kind != LITERAL_POSITIVE) i++;
  if (i == c->body_count) return naive_conclude(n, c, bindings);
  const term_id atom = p->literals.items[c->body + i].atom;
  const relation_id r = atom_relation(p, atom);
  const uint32_t count = n->facts[r].count;
  term_id copy[32];
  assert(c->variable_count <= 32);
  bool changed = false;
  for (uint32_t k = 0; k < count; k++) {
    memcpy(copy, bindings, sizeof copy);
    if (naive_match(p->terms, atom, n->facts[r].items[k], copy))
      changed |= naive_fit(n, c, i + 1, copy);
  }
  return changed;
}

static inline bool naive_round(naive *n, uint32_t component) {
  term_id free_bindings[32];
  memset(free_bindings, 0xff, sizeof free_bindings);
  bool changed = false;
  for (clause_id c = 0; c < n->p->clauses.count; c++) {
    const clause *it = &n->p->clauses.items[c];
    if (n->a.component[atom_relation(n->p, it->head)] == component)
      changed |= naive_fit(n, it, 0, free_bindings);
  }
  return changed;
}

static inline void naive_run(naive *n) {
  for (uint32_t c = 0; c < n->a.component_count; c++)
    while (naive_round(n, c)) continue;
}

#endif
