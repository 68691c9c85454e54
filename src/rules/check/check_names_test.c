#include "rules/rules_fixture.h"

static void a_relation_has_one_number_of_arguments(void **state) {
  rules_fixture *f = *state;
  check_text(f, "(wall a b)\n(<= p (wall ?x))\n(<= q (not (wall ?x)))");
  assert_fault(f, DIAG_E301, 2, 7, "(wall ?x)", "the relation wall is used with 1 argument");
  assert_place(f, related(f, DIAG_E301, 0)->where, 1, 1, "(wall a b)");
  assert_string_equal(related(f, DIAG_E301, 0)->message, "first used with 2 arguments here");
}

static void a_keyword_and_its_namesake_are_two_relations(void **state) {
  rules_fixture *f = *state;
  check_text(f, "(<= (next a) (next 1 2))\n(next 1 2)");
  assert_none(f, DIAG_E301);
  assert_int_equal(count_of(f, DIAG_W203), 2);
}

static void a_function_has_one_number_of_arguments(void **state) {
  rules_fixture *f = *state;
  check_text(f, "(init (cell 1 2))\n(init (cell 1 2 x))\n(init (cell 1))");
  assert_fault(f, DIAG_E302, 2, 7, "(cell 1 2 x)", "the function cell is used with 3 arguments");
}

static void an_object_that_is_a_function_too_is_warned_of(void **state) {
  rules_fixture *f = *state;
  check_text(f, "(init (on light))\n(init (light on))");
  assert_int_equal(count_of(f, DIAG_W307), 2);
  assert_place(f, fault(f, DIAG_W307, 0)->where, 2, 7, "(light on)");
  assert_none(f, DIAG_E302);
}

static void a_relation_that_is_a_function_too_is_warned_of(void **state) {
  rules_fixture *f = *state;
  check_text(f, "(cell 1 2)\n(<= (init (cell ?x ?y)) (cell ?x ?y))");
  assert_fault(f, DIAG_W303, 2, 11, "(cell ?x ?y)", "cell is a relation and a function");
  assert_place(f, related(f, DIAG_W303, 0)->where, 1, 1, "(cell 1 2)");
}

static void an_unknown_relation_is_named_with_its_nearest(void **state) {
  rules_fixture *f = *state;
  check_text(f, "(adjacent a b)\n(<= p (not (adjacnet a b)))");
  assert_fault(f, DIAG_W304, 2, 12, "(adjacnet a b)",
               "the relation adjacnet is used but never defined");
  assert_string_equal(fault(f, DIAG_W304, 0)->hint, "did you mean adjacent?");
}

static void a_misspelled_keyword_is_named(void **state) {
  rules_fixture *f = *state;
  check_text(f, "(<= (leagl x a) (ture a))\n(<= (nxt a) (dose x a))\n(<= terminl (distnict a b))");
  assert_string_equal(fault(f, DIAG_W309, 0)->hint, "did you mean legal?");
  assert_string_equal(fault(f, DIAG_W309, 1)->hint, "did you mean next?");
  assert_string_equal(fault(f, DIAG_W309, 2)->hint, "did you mean terminal?");
  assert_string_equal(fault(f, DIAG_W304, 0)->hint, "did you mean true?");
  assert_string_equal(fault(f, DIAG_W304, 1)->hint, "did you mean does?");
  assert_string_equal(fault(f, DIAG_W304, 2)->hint, "did you mean distinct?");
}

static void a_keyword_that_cannot_be_meant_is_not_named(void **state) {
  rules_fixture *f = *state;
  check_text(f, "(<= (leagl x) (nxt a))\n(<= (dose x a) (ture a b))\n(turn a)\n(<= p (turm a))");
  for (uint32_t i = 0; i < 2; i++)
    assert_string_equal(fault(f, DIAG_W305, i)->hint, "use it in a rule, or remove it");
  for (uint32_t i = 0; i < 2; i++)
    assert_null(strstr(fault(f, DIAG_W304, i)->hint, "did you mean"));
  assert_string_equal(fault(f, DIAG_W304, 2)->hint, "did you mean turn?");
  check_text(f, "(init (step 0))\n(int 0)\n(int 1)");
  assert_string_equal(fault(f, DIAG_W305, 0)->hint, "use it in a rule, or remove it");
}

static void a_relation_whose_rules_are_faulty_is_defined(void **state) {
  rules_fixture *f = *state;
  check_text(f, "(<= (q ?x) (not (q a) (q b)))\n(<= p (q a))");
  assert_none(f, DIAG_W304);
}

static void true_and_does_need_no_rules(void **state) {
  rules_fixture *f = *state;
  check_text(f, "(<= p (true a) (does r m))");
  assert_none(f, DIAG_W304);
}

static void a_relation_that_nobody_uses_is_warned_of(void **state) {
  rules_fixture *f = *state;
  check_text(f, "(role r)\n(colour red)\n(colour blue)\n(shape round)\n(<= terminal (shape ?x))");
  assert_fault(f, DIAG_W305, 2, 1, "(colour red)", "the relation colour is defined but never used");
}

static void names_that_differ_in_case_are_one(void **state) {
  rules_fixture *f = *state;
  check_text(f, "(nextRank 1 2)\n(<= p (nextrank 1 2))\n(<= q (NEXTRANK 1 2))");
  assert_fault(f, DIAG_W306, 2, 8, "nextrank", "nextrank and nextRank are the same name");
  assert_place(f, related(f, DIAG_W306, 0)->where, 1, 2, "nextRank");
}

static void keywords_may_be_written_large(void **state) {
  rules_fixture *f = *state;
  check_text(f, "(ROLE a)\n(role b)\n(INIT x)\n(init y)");
  assert_none(f, DIAG_W306);
}

static void variables_of_different_rules_are_not_compared(void **state) {
  rules_fixture *f = *state;
  check_text(f, "(<= (p ?X) (q ?X))\n(<= (r ?x) (q ?x))");
  assert_none(f, DIAG_W306);
  check_text(f, "(<= (p ?X) (q ?x))");
  assert_int_equal(count_of(f, DIAG_W306), 1);
}

static void a_condition_on_the_state_that_nobody_asks_for_is_told(void **state) {
  rules_fixture *f = *state;
  check_text(f, "(init a)\n(<= open (true a))\n(colour red)");
  assert_fault(f, DIAG_W308, 2, 5, "open", "the relation open is defined but never used");
  assert_int_equal(count_of(f, DIAG_W305), 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      rules_test(a_relation_has_one_number_of_arguments),
      rules_test(a_keyword_and_its_namesake_are_two_relations),
      rules_test(a_function_has_one_number_of_arguments),
      rules_test(an_object_that_is_a_function_too_is_warned_of),
      rules_test(a_relation_that_is_a_function_too_is_warned_of),
      rules_test(an_unknown_relation_is_named_with_its_nearest),
      rules_test(a_misspelled_keyword_is_named),
      rules_test(a_condition_on_the_state_that_nobody_asks_for_is_told),
      rules_test(a_keyword_that_cannot_be_meant_is_not_named),
      rules_test(a_relation_whose_rules_are_faulty_is_defined),
      rules_test(true_and_does_need_no_rules),
      rules_test(a_relation_that_nobody_uses_is_warned_of),
      rules_test(names_that_differ_in_case_are_one),
      rules_test(keywords_may_be_written_large),
      rules_test(variables_of_different_rules_are_not_compared),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
