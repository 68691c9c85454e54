/* What the tests of this folder share: rules, and the texts of what they become. */
#ifndef TABIA_COMPILE_COMPILE_FIXTURE_H
#define TABIA_COMPILE_COMPILE_FIXTURE_H

#include "compile/compile.h"
#include "rules/rules_fixture.h"

/* A lamp and a switch; it goes on until the lamp has been off, on and off. */
#define LAMP \
  "(role owner) (init (lamp off)) (init (count 0)) (switches off on)" \
  "(switches on off) (after 0 1) (after 1 2)" \
  "(<= (legal owner wait) (true (lamp ?l)) (not over))" \
  "(<= (legal owner (press ?l)) (true (lamp ?l)))" \
  "(<= (next (lamp ?m)) (does owner (press ?l)) (switches ?l ?m))" \
  "(<= (next (lamp ?l)) (does owner wait) (true (lamp ?l)))" \
  "(<= (next (count ?n)) (true (count ?m)) (after ?m ?n) (does owner (press ?l)))" \
  "(<= (next (count ?n)) (true (count ?n)) (does owner wait))" \
  "(<= over (true (count 2))) (<= terminal over)" \
  "(<= (goal owner 100) over) (<= (goal owner 0) (not over))"

/* The text of a stage; NULL: the rules cannot be compiled. */
static inline const char *stage_text(rules_fixture *f, const char *words, compile_stage stage) {
  if (!build_text(f, words)) print_error("%s\n", f->d.all.items[0].message);
  assert_int_equal(f->d.errors, 0);
  text out = text_new(f->keep);
  compilation c;
  const compile_options o = {.name = "test"};
  return compile_game(&c, &f->p, &o, stage, f->keep, NULL, &f->d, &out) ? text_string(&out) : NULL;
}

#endif
