#include "rules/rules_fixture.h"

static void points_at_the_unsafe_head_variable(void **state) {
  rules_fixture *f = *state;
  check_text(f, "(<= (next (cell ?x ?y))\n    (true (cell ?x b)))");
  assert_fault(f, DIAG_E401, 1, 20, "?y", "?y in the head is in no positive condition");
  assert_false(f->r.allowed);
}

static void points_at_the_variable_under_negation(void **state) {
  rules_fixture *f = *state;
  check_text(f, "(<= win (p ?x) (not (true (cell ?x ?y))))");
  assert_fault(f, DIAG_E402, 1, 36, "?y", "?y is only under `not`");
}

static void points_at_the_variable_in_distinct(void **state) {
  rules_fixture *f = *state;
  check_text(f, "(<= win (p ?x) (distinct ?x ?y))");
  assert_fault(f, DIAG_E403, 1, 29, "?y", "?y is only in `distinct`");
}

static void a_variable_is_reported_once_in_a_rule(void **state) {
  rules_fixture *f = *state;
  check_text(f, "(<= (p ?x) (not (q ?x)) (distinct ?x a))\n(<= (r ?x) (not (q ?x)))");
  assert_int_equal(count_of(f, DIAG_E401), 2);
  assert_none(f, DIAG_E402);
  assert_none(f, DIAG_E403);
}

static void a_negated_distinct_binds(void **state) {
  rules_fixture *f = *state;
  check_text(f, "(<= (p ?x) (q ?y) (not (distinct ?x ?y)))");
  assert_true(f->r.allowed);
}

static void blames_the_alternative_that_does_not_bind(void **state) {
  rules_fixture *f = *state;
  check_text(f, "(<= (p ?x) (or (q ?x) (r a)))");
  assert_fault(f, DIAG_E401, 1, 8, "?x",
               "?x in the head is in no positive condition of one alternative of `or`");
  assert_place(f, related(f, DIAG_E401, 0)->where, 1, 23, "(r a)");
}

static void facts_have_no_variables(void **state) {
  rules_fixture *f = *state;
  check_text(f, "(succ 1 2)\n(succ ?x 3)\n(<= (append nil ?l))");
  assert_int_equal(count_of(f, DIAG_E404), 2);
  assert_place(f, fault(f, DIAG_E404, 0)->where, 2, 7, "?x");
  assert_place(f, fault(f, DIAG_E404, 1)->where, 3, 17, "?l");
}

static void a_variable_used_once_may_be_a_slip(void **state) {
  rules_fixture *f = *state;
  check_text(f, "(<= win (true (cell ?x ?y x)) (true (cell ?x ?z o)))");
  assert_int_equal(count_of(f, DIAG_W406), 2);
  assert_place(f, fault(f, DIAG_W406, 0)->where, 1, 24, "?y");
  assert_string_equal(fault(f, DIAG_W406, 0)->hint,
                      "if any value is right, say so by naming it ?_y");
}

static void an_underscore_says_that_any_value_will_do(void **state) {
  rules_fixture *f = *state;
  check_text(f, "(<= win (true (cell ?_ ?_y x)))");
  assert_none(f, DIAG_W406);
}

static void an_unsafe_variable_is_not_called_single_too(void **state) {
  rules_fixture *f = *state;
  check_text(f, "(<= win (p a) (not (q ?x)))");
  assert_int_equal(count_of(f, DIAG_E402), 1);
  assert_none(f, DIAG_W406);
}

static void places_are_right_in_the_infix_notation(void **state) {
  rules_fixture *f = *state;
  check_text(f, "win(Who) :- true(line(X)).\n");
  assert_string_equal(fault(f, DIAG_W406, 0)->hint,
                      "if any value is right, say so by naming it _X");
  assert_fault(f, DIAG_E401, 1, 5, "Who", "Who in the head is in no positive condition");
}

static void a_variable_that_is_used_once_and_near_to_another_is_a_slip(void **state) {
  rules_fixture *f = *state;
  check_text(f, "(<= (p ?column) (q ?column ?colunm))\n(<= (p ?row) (q ?row ?rows))");
  assert_int_equal(count_of(f, DIAG_W407), 2);
  assert_string_equal(fault(f, DIAG_W407, 0)->hint, "did you mean ?column?");
  assert_none(f, DIAG_W406);
}

static void names_that_differ_on_purpose_are_no_slips(void **state) {
  rules_fixture *f = *state;
  check_text(f, "(<= (p ?row1) (q ?row1 ?row2))\n(<= (p ?x) (q ?x ?y))\n(<= p (q ?xany ?yany))\n"
                "(<= p (q ?anyx ?anyy))\n(<= (p ?type) (q ?type ?ptype))");
  assert_none(f, DIAG_W407);
  assert_int_equal(count_of(f, DIAG_W406), 7);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      rules_test(points_at_the_unsafe_head_variable),
      rules_test(points_at_the_variable_under_negation),
      rules_test(points_at_the_variable_in_distinct),
      rules_test(a_variable_is_reported_once_in_a_rule),
      rules_test(a_negated_distinct_binds),
      rules_test(blames_the_alternative_that_does_not_bind),
      rules_test(facts_have_no_variables),
      rules_test(a_variable_used_once_may_be_a_slip),
      rules_test(an_underscore_says_that_any_value_will_do),
      rules_test(an_unsafe_variable_is_not_called_single_too),
      rules_test(places_are_right_in_the_infix_notation),
      rules_test(a_variable_that_is_used_once_and_near_to_another_is_a_slip),
      rules_test(names_that_differ_on_purpose_are_no_slips),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
