/* What the tests of this folder and of ground/ share: rules, flattened and evaluated. */
#ifndef TABIA_DATALOG_DATALOG_FIXTURE_H
#define TABIA_DATALOG_DATALOG_FIXTURE_H

#include "datalog/engine.h"
#include "datalog/naive_fixture.h"
#include "rules/rules_fixture.h"

#include <stdio.h>
#include <stdlib.h>

/* For texts that cmocka would cut. */
static inline void show(const char *title, const char *words) {
  fprintf(stderr, "--- %s\n%s\n", title, words);
}

static inline void build_sound(rules_fixture *f, const char *words) {
  if (!build_text(f, words)) show(f->d.all.items[0].message, words);
  assert_int_equal(f->d.errors, 0);
}

static inline flat_program flattened(rules_fixture *f, const char *words) {
  build_sound(f, words);
  flat_program flat;
  assert_true(flatten(&flat, &f->p, f->keep, NULL, &f->d));
  return flat;
}

static inline const char *flat_text(rules_fixture *f, const flat_program *flat) {
  text out = text_new(f->keep);
  for (flat_clause_id c = 0; c < flat->clauses.count; c++) {
    if (c) text_add_char(&out, '\n');
    flat_clause_print(flat, c, &out);
  }
  return text_string(&out);
}

static inline engine evaluated(rules_fixture *f, const flat_program *flat) {
  engine e;
  engine_init(&e, flat, NULL, f->keep);
  assert_true(engine_run(&e, NULL, &f->d));
  return e;
}

static inline int compare_facts(const void *left, const void *right, void *terms) {
  return term_compare(terms, *(const term_id *)left, *(const term_id *)right);
}

/* All facts of a relation in the order of their text, with blanks between. */
static inline const char *facts_text(rules_fixture *f, const engine *e, const char *name,
                                     uint32_t arity) {
  const relation_id r = relation_named(f, name, arity);
  const flat_program *flat = e->f;
  term_vec all = {0};
  for (uint32_t i = flat->relations_from[r]; i < flat->relations_from[r + 1]; i++) {
    const flat_id id = flat->relations_by_source.items[i];
    for (uint32_t row = 0; row < e->tables[id].count; row++)
      vec_push(f->keep, &all, flat_atom(flat, id, table_row(&e->tables[id], row)));
  }
  if (all.count) qsort_r(all.items, all.count, sizeof *all.items, compare_facts, f->p.terms);
  text out = text_new(f->keep);
  for (uint32_t i = 0; i < all.count; i++) {
    if (i) text_add_char(&out, ' ');
    term_print(f->p.terms, all.items[i], NOTATION_KIF, NULL, &out);
  }
  return text_string(&out);
}

/* The flat relations of the source's relation `r` hold just the facts that `n` has. */
static inline bool same_facts(const engine *e, const naive *n, relation_id r) {
  const flat_program *f = e->f;
  uint32_t count = 0;
  for (uint32_t i = f->relations_from[r]; i < f->relations_from[r + 1]; i++) {
    const flat_id id = f->relations_by_source.items[i];
    for (uint32_t row = 0; row < e->tables[id].count; row++)
      if (!naive_has(n, flat_atom(f, id, table_row(&e->tables[id], row)))) return false;
    count += e->tables[id].count;
  }
  return count == n->facts[r].count;
}

#endif
