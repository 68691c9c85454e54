/* What the tests of this folder share: a rulesheet, its program, and what was said about it. */
#ifndef TABIA_RULES_RULES_FIXTURE_H
#define TABIA_RULES_RULES_FIXTURE_H

#include "rules/check.h"
#include "rules/nested_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

typedef struct rules_fixture {
  arena *keep;
  arena *scratch;
  diag_sink d;
  source s;
  tree t;
  program p;
  analysis a;
  check_result r;
} rules_fixture;

static inline int set_up(void **state) {
  rules_fixture *f = test_malloc(sizeof *f);
  *f = (rules_fixture){.keep = arena_new(), .scratch = arena_new()};
  *state = f;
  return 0;
}

static inline int tear_down(void **state) {
  rules_fixture *f = *state;
  arena_free(f->keep);
  arena_free(f->scratch);
  test_free(f);
  return 0;
}

/* Reads and builds; faults are in f->d. */
static inline bool build_text(rules_fixture *f, const char *words) {
  diag_sink_init(&f->d, f->keep);
  f->s = source_of("test", words, (uint32_t)strlen(words));
  source_index_lines(&f->s, f->keep);
  tree_read(&f->t, &f->s, symbols_new(f->keep), f->keep, &f->d);
  rules_build(&f->p, &f->t, f->keep, &f->d);
  rules_analyse(&f->a, &f->p, f->keep);
  diag_sort(&f->d);
  return f->d.errors == 0;
}

static inline void check_text(rules_fixture *f, const char *words) {
  build_text(f, words);
  f->r = rules_check(&f->p, &f->a, f->scratch, NULL, &f->d);
  diag_sort(&f->d);
}

static inline uint32_t count_of(const rules_fixture *f, diag_kind kind) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < f->d.all.count; i++) count += f->d.all.items[i].kind == kind;
  return count;
}

/* Number `i` of a kind. */
static inline const diag *fault(const rules_fixture *f, diag_kind kind, uint32_t i) {
  for (uint32_t k = 0; k < f->d.all.count; k++)
    if (f->d.all.items[k].kind == kind && i-- == 0) return &f->d.all.items[k];
  print_error("no such %s\n", diag_infos[kind].code);
  fail();
  return NULL;
}

static inline const char *marked_text(const rules_fixture *f, span where) {
  const slice s = source_slice(&f->s, where);
  return arena_copy_text(f->keep, s.start, s.length);
}

static inline void assert_place(const rules_fixture *f, span where, uint32_t line, uint32_t column,
                                const char *marked) {
  const place at = source_place(&f->s, where.start);
  assert_string_equal(marked_text(f, where), marked);
  assert_int_equal(at.line, line);
  assert_int_equal(at.column, column);
}

/* There is one fault of the kind, with these words, and it marks this text. */
static inline void assert_fault(const rules_fixture *f, diag_kind kind, uint32_t line,
                                uint32_t column, const char *marked, const char *message) {
  assert_int_equal(count_of(f, kind), 1);
  const diag *g = fault(f, kind, 0);
  assert_string_equal(g->message, message);
  assert_place(f, g->where, line, column, marked);
}

static inline const diag_related *related(const rules_fixture *f, diag_kind kind, uint32_t i) {
  const diag_related *r = fault(f, kind, 0)->related;
  for (; i && r; i--) r = r->next;
  if (!r) fail_msg("no such second place");
  return r;
}

static inline void assert_none(const rules_fixture *f, diag_kind kind) {
  if (count_of(f, kind)) print_error("%s\n", fault(f, kind, 0)->message);
  assert_int_equal(count_of(f, kind), 0);
}

static inline const char *rules_text(rules_fixture *f) {
  text out = text_new(f->keep);
  for (rule_id r = 0; r < f->p.rules.count; r++) {
    if (r) text_add_char(&out, '\n');
    rule_print(&f->p, r, NOTATION_KIF, &out);
  }
  return text_string(&out);
}

static inline const char *clauses_text(rules_fixture *f) {
  text out = text_new(f->keep);
  for (clause_id c = 0; c < f->p.clauses.count; c++) {
    if (c) text_add_char(&out, '\n');
    clause_print(&f->p, c, NOTATION_KIF, &out);
  }
  return text_string(&out);
}

static inline relation_id relation_named(const rules_fixture *f, const char *name, uint32_t arity) {
  return program_relation(&f->p, symbol_find(f->t.symbols, slice_of(name)), arity);
}

#define rules_test(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

#endif
