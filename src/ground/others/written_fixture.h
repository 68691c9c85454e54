/* What the tests of the programs that are written for gringo and SWI-Prolog share. */
#ifndef TABIA_GROUND_OTHERS_WRITTEN_FIXTURE_H
#define TABIA_GROUND_OTHERS_WRITTEN_FIXTURE_H

#include "ground/others/methods_fixture.h"

typedef void program_writer(const program *p, bases_method m, text *out);

static inline const char *written_by(program_writer *write, rules_fixture *f, const char *rules,
                                     bases_method m) {
  text out = text_new(f->keep);
  assert_true(build_text(f, rules));
  write(&f->p, m, &out);
  return text_string(&out);
}

static inline void assert_has(const char *program, const char *lines) {
  if (!strstr(program, lines)) print_error("%s\nhas not\n%s\n", program, lines);
  assert_non_null(strstr(program, lines));
}

/* Names are numbered from 17 in the order in which they are met, relations from 11. */
static const char game[] = "(role r) (init (at 1)) (succ 1 2)"
                           "(<= (legal r (go ?y)) (true (at ?x)) (succ ?x ?y) (not (end ?y)))"
                           "(<= (next (at ?y)) (does r (go ?y)) (not (stuck ?y)) (distinct ?y 1))"
                           "(<= (stuck ?x) (true (at ?x)) (not (end ?x)))"
                           "(end 2)";

#endif
