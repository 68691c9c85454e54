#include "ground/simplify/ground_strata.h"

#include "ground/ground_fixture.h"

static bool grounds(rules_fixture *f, const char *words, ground_options o) {
  ground_program g;
  ground_stats stats;
  assert_true(build_text(f, words));
  return ground_rules(&g, &f->p, o, f->keep, NULL, &f->d, &stats);
}

static const char paradox[] =
    "(role r) (init (n 1)) (legal r x) (<= (p ?x) (true (n ?x)) (not (q ?x)))"
    "(<= (q ?x) (true (n ?x)) (not (p ?x))) (<= terminal (p 1)) (<= (next (n 1)) (true (n 1)))"
    "(<= (next (n 2)) (does r x))";

static void an_atom_that_depends_on_its_own_negation_is_an_error(void **state) {
  rules_fixture *f = *state;
  assert_false(grounds(f, paradox, plain));
  assert_int_equal(f->d.errors, 1);
  assert_int_equal(f->d.all.items[f->d.all.count - 1].kind, DIAG_E501);
  assert_string_equal(f->d.all.items[f->d.all.count - 1].message,
                      "(p 1) depends on its own negation");
  assert_place(f, fault(f, DIAG_E501, 0)->where, 1, 65, "(q ?x)");
}

static void atoms_of_one_relation_may_depend_on_each_other(void **state) {
  rules_fixture *f = *state;
  static const char chain[] =
      "(role r) (init (n 1)) (legal r x) (succ 1 2) (succ 2 3) (<= (win ?x) (succ ?x ?y) (not (win "
      "?y))"
      "(true (n ?x))) (<= terminal (win 1)) (<= (next (n ?y)) (true (n ?x)) (succ ?x ?y))";
  assert_true(grounds(f, chain, plain));
  assert_int_equal(f->d.errors, 0);
}

/* q holds in every state: what reads its negation never does. */
static void what_is_evaluated_away_is_no_error(void **state) {
  rules_fixture *f = *state;
  static const char settled[] =
      "(role r) (init a) (legal r x) (<= (p ?x) (role ?x) (not (q ?x)) (true a))"
      "(<= (q ?x) (role ?x) (not (p ?x)) (true a)) (<= (q ?x) (role ?x)) (<= terminal (p r))"
      "(<= (next a) (does r x))";
  assert_true(grounds(f, settled, plain));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      rules_test(an_atom_that_depends_on_its_own_negation_is_an_error),
      rules_test(atoms_of_one_relation_may_depend_on_each_other),
      rules_test(what_is_evaluated_away_is_no_error),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
