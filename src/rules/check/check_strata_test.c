#include "rules/rules_fixture.h"

static void assert_stratified_once_ground(rules_fixture *f) {
  assert_none(f, DIAG_E501);
  assert_int_equal(count_of(f, DIAG_W502), 1);
  assert_false(f->r.stratified);
  assert_false(f->r.unstratified_undecided);
}

static void negation_without_a_cycle_is_fine(void **state) {
  rules_fixture *f = *state;
  check_text(f, "(<= a (not b))\n(<= b (true c))");
  assert_true(f->r.stratified);
  assert_none(f, DIAG_E501);
  assert_none(f, DIAG_W502);
}

static void atoms_that_deny_each_other_are_an_error(void **state) {
  rules_fixture *f = *state;
  check_text(f, "(<= q (true p) (not r))\n(<= r s)\n(<= s (not q))");
  assert_fault(f, DIAG_E501, 1, 21, "r", "q depends on its own negation");
  assert_string_equal(related(f, DIAG_E501, 0)->message, "r depends on s here");
  assert_place(f, related(f, DIAG_E501, 1)->where, 3, 12, "q");
}

/* 500 relations, each of which denies the next. */
static void of_a_long_cycle_the_first_steps_and_the_last_are_shown(void **state) {
  rules_fixture *f = *state;
  text words = text_new(f->keep);
  for (uint32_t i = 0; i <= 500; i++)
    text_add_format(&words, "(<= q%u (not q%u))\n", i, i < 500 ? i + 1 : 0);
  check_text(f, text_string(&words));
  assert_fault(f, DIAG_E501, 1, 13, "q1", "q0 depends on its own negation");
  assert_string_equal(related(f, DIAG_E501, 10)->message, "q11 depends on not q12 here");
  assert_string_equal(related(f, DIAG_E501, 11)->message,
                      "489 steps further, q500 depends on not q0 here");
}

static void a_cycle_that_closes_for_every_value_is_an_error(void **state) {
  rules_fixture *f = *state;
  check_text(f, "(<= (test ?x) (not (other ?x)) (thing ?x))\n(<= (other ?x) (test ?x))");
  assert_fault(f, DIAG_E501, 1, 20, "(other ?x)", "(test ?x) depends on its own negation");
}

static void goals_of_other_values_are_other_atoms(void **state) {
  rules_fixture *f = *state;
  check_text(f,
             "(<= (goal ?r 100) (true (won ?r)))\n(<= (goal ?r 0) (role ?r) (not (goal ?r 100)))");
  assert_stratified_once_ground(f);
  assert_fault(f, DIAG_W502, 2, 32, "(goal ?r 100)",
               "the relation goal depends on its own negation, though no atom of it does");
}

static void facts_can_show_that_a_cycle_never_closes(void **state) {
  rules_fixture *f = *state;
  check_text(f, "(succ 1 2)\n(succ 2 3)\n(<= (odd ?y) (succ ?x ?y) (not (odd ?x)))");
  assert_stratified_once_ground(f);
}

static void facts_can_show_that_a_cycle_closes(void **state) {
  rules_fixture *f = *state;
  check_text(f, "(succ 1 2)\n(succ 2 3)\n(succ 3 1)\n(<= (odd ?y) (succ ?x ?y) (not (odd ?x)))");
  assert_int_equal(count_of(f, DIAG_E501), 1);
  assert_none(f, DIAG_W502);
}

/* The Skolem constants alone would say that less is symmetric. */
static void facts_go_before_variables(void **state) {
  rules_fixture *f = *state;
  check_text(f, "(less 1 2)\n(<= (p ?x ?y) (less ?x ?y) (not (q ?y ?x)))\n"
                "(<= (q ?a ?b) (less ?a ?b) (p ?b ?a))");
  assert_stratified_once_ground(f);
}

static void what_the_state_decides_is_left_open(void **state) {
  rules_fixture *f = *state;
  check_text(f, "(<= (p ?x) (true (edge ?x ?y)) (not (p ?y)))");
  assert_none(f, DIAG_E501);
  assert_int_equal(count_of(f, DIAG_W502), 1);
  assert_true(f->r.unstratified_undecided);
}

static void each_part_is_reported_once(void **state) {
  rules_fixture *f = *state;
  check_text(f, "(<= a (not a))\n(<= b (not c))\n(<= c (not b))");
  assert_int_equal(count_of(f, DIAG_E501), 2);
}

static void facts_may_make_atoms_too_deep_to_be_looked_at(void **state) {
  rules_fixture *f = *state;
  text words = text_new(f->keep);
  text_add_format(&words, "(k %s)\n", nested(f->keep, TERM_DEPTH_MAX - 2, "z"));
  text_add(&words, "(<= (p (f (f ?m))) (k ?m) (not (q (g (g ?m)))))\n"
                   "(<= (q (g ?m)) (k ?m) (not (p (f (f (f ?m))))))");
  check_text(f, text_string(&words));
  assert_none(f, DIAG_E501);
}

static void many_facts_do_not_take_long(void **state) {
  rules_fixture *f = *state;
  text rules = text_new(f->keep);
  for (uint32_t i = 0; i < 3000; i++) text_add_format(&rules, "(succ %u %u)\n", i, i + 1);
  text_add(&rules, "(<= (p ?x) (succ ?x ?y) (succ ?y ?z) (not (p ?z)))");
  check_text(f, text_string(&rules));
  assert_none(f, DIAG_E501);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      rules_test(negation_without_a_cycle_is_fine),
      rules_test(atoms_that_deny_each_other_are_an_error),
      rules_test(of_a_long_cycle_the_first_steps_and_the_last_are_shown),
      rules_test(a_cycle_that_closes_for_every_value_is_an_error),
      rules_test(goals_of_other_values_are_other_atoms),
      rules_test(facts_can_show_that_a_cycle_never_closes),
      rules_test(facts_can_show_that_a_cycle_closes),
      rules_test(facts_go_before_variables),
      rules_test(what_the_state_decides_is_left_open),
      rules_test(each_part_is_reported_once),
      rules_test(facts_may_make_atoms_too_deep_to_be_looked_at),
      rules_test(many_facts_do_not_take_long),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
