#include "rules/rules_fixture.h"

static void the_same_fact_twice_is_told(void **state) {
  rules_fixture *f = *state;
  check_text(f, "(p a)\n(p b)\n(P A)");
  assert_fault(f, DIAG_W607, 3, 1, "(P A)", "this fact is repeated");
  assert_place(f, related(f, DIAG_W607, 0)->where, 1, 1, "(p a)");
}

static void the_same_rule_with_other_variables_is_told(void **state) {
  rules_fixture *f = *state;
  check_text(f, "(<= (p ?x) (q ?x ?y))\n(<= (p ?a) (q ?a ?b))\n(<= (p ?a) (q ?b ?a))");
  assert_fault(f, DIAG_W607, 2, 1, "(<= (p ?a) (q ?a ?b))", "this rule is repeated");
}

static void connectives_make_a_difference(void **state) {
  rules_fixture *f = *state;
  check_text(f, "(<= p (or a b))\n(<= p (and a b))\n(<= p (or a) b)");
  assert_none(f, DIAG_W607);
}

static void a_fact_that_is_not_listed_never_holds(void **state) {
  rules_fixture *f = *state;
  check_text(f, "(wired on)\n(<= p (wired on))\n(<= q (wired ?x) (wired off))");
  assert_fault(f, DIAG_W608, 3, 18, "(wired off)",
               "this rule never fires: (wired off) never holds: no fact or rule gives it");
}

static void rules_that_are_tried_need_variables_kept_apart(void **state) {
  rules_fixture *f = *state;
  check_text(f, "(q a)\n(<= (p ?x ?y) (q ?x) (q ?y))\n(<= r (p ?y ?x) (q ?y) (q ?x))");
  assert_none(f, DIAG_W608);
}

static void a_fluent_that_nothing_makes_true_never_holds(void **state) {
  rules_fixture *f = *state;
  check_text(
      f,
      "(init (light off))\n(<= (next (light on)) (does r push))\n(<= terminal (true (light dim)))");
  assert_fault(f, DIAG_W608, 3, 14, "(true (light dim))",
               "this rule never fires: (true (light dim)) is never made true by init or next");
}

static void a_move_that_is_never_legal_is_never_done(void **state) {
  rules_fixture *f = *state;
  check_text(f, "(legal r push)\n(<= (next a) (does r pull))");
  assert_int_equal(count_of(f, DIAG_W608), 1);
}

static void the_negation_of_a_fact_never_holds(void **state) {
  rules_fixture *f = *state;
  check_text(f, "(q a)\n(<= p (true x) (not (q a)))");
  assert_fault(f, DIAG_W608, 2, 21, "(q a)",
               "this rule never fires: (q a) is a fact, so its negation never holds");
}

static void a_rule_that_asks_for_both_never_fires(void **state) {
  rules_fixture *f = *state;
  check_text(f, "(<= q (true x))\n(<= p q (not q))");
  assert_int_equal(count_of(f, DIAG_W608), 1);
}

static void distinct_of_equal_terms_never_holds(void **state) {
  rules_fixture *f = *state;
  check_text(f, "(q a)\n(<= p (q ?x) (distinct ?x ?x))");
  assert_fault(f, DIAG_W608, 2, 14, "(distinct ?x ?x)",
               "this rule never fires because of (distinct ?x ?x)");
}

static void one_possible_alternative_is_enough(void **state) {
  rules_fixture *f = *state;
  check_text(f, "(q a)\n(<= p (or (q b) (q a)))");
  assert_none(f, DIAG_W608);
}

static void what_is_undefined_is_told_once(void **state) {
  rules_fixture *f = *state;
  check_text(f, "(<= p (nowhere a))");
  assert_int_equal(count_of(f, DIAG_W304), 1);
  assert_none(f, DIAG_W608);
}

static void a_condition_that_stands_twice_is_told(void **state) {
  rules_fixture *f = *state;
  check_text(f, "(<= draw (not (line x)) (true full) (not (line x)))");
  assert_fault(f, DIAG_W627, 1, 37, "(not (line x))", "this condition occurs twice in its rule");
}

static void alternatives_may_repeat_what_stands_outside(void **state) {
  rules_fixture *f = *state;
  check_text(f, "(<= p (true a) (or (true a) (true b)))\n(<= q (true a))\n(<= r (true a))");
  assert_none(f, DIAG_W627);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      rules_test(the_same_fact_twice_is_told),
      rules_test(the_same_rule_with_other_variables_is_told),
      rules_test(connectives_make_a_difference),
      rules_test(a_fact_that_is_not_listed_never_holds),
      rules_test(rules_that_are_tried_need_variables_kept_apart),
      rules_test(a_fluent_that_nothing_makes_true_never_holds),
      rules_test(a_move_that_is_never_legal_is_never_done),
      rules_test(the_negation_of_a_fact_never_holds),
      rules_test(a_rule_that_asks_for_both_never_fires),
      rules_test(distinct_of_equal_terms_never_holds),
      rules_test(one_possible_alternative_is_enough),
      rules_test(what_is_undefined_is_told_once),
      rules_test(a_condition_that_stands_twice_is_told),
      rules_test(alternatives_may_repeat_what_stands_outside),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
