#include "rules/rules_fixture.h"

static void a_missing_step_is_told(void **state) {
  rules_fixture *f = *state;
  check_text(f, "(s 1 2)\n(s 2 3)\n(s 4 5)\n(s 5 6)");
  assert_fault(f, DIAG_W628, 3, 1, "(s 4 5)", "no fact of s leads from 3 to 4");
}

static void a_missing_step_down_is_told(void **state) {
  rules_fixture *f = *state;
  check_text(f, "(s 6 5)\n(s 5 4)\n(s 3 2)\n(s 2 1)");
  assert_int_equal(count_of(f, DIAG_W628), 1);
  assert_string_equal(fault(f, DIAG_W628, 0)->message, "no fact of s leads from 4 to 3");
}

static void a_step_unlike_the_others_is_told(void **state) {
  rules_fixture *f = *state;
  check_text(f, "(s 1 2)\n(s 2 3)\n(s 3 5)\n(s 4 5)\n(s 5 6)");
  assert_fault(f, DIAG_W628, 3, 1, "(s 3 5)", "(s 3 5) differs from the other facts of its table");
  assert_string_equal(fault(f, DIAG_W628, 0)->hint,
                      "in all others the second number is 1 more than the first");
}

static void a_count_may_end_where_it_began_or_stay_at_its_end(void **state) {
  rules_fixture *f = *state;
  check_text(
      f, "(round 1 2)(round 2 3)(round 3 4)(round 4 1)(stay 1 2)(stay 2 3)(stay 3 4)(stay 4 4)");
  assert_none(f, DIAG_W628);
}

static void other_tables_are_left_alone(void **state) {
  rules_fixture *f = *state;
  check_text(
      f,
      "(t 1 2)(t 2 1)(t 3 4)(t 4 9)(u a b)(u b c)(u c d)(u d e)(v 1 2)(v 2 3)(v 4 5)(w 1 2)(w 2 3)(w 7 8)(w 8 9)");
  assert_none(f, DIAG_W628);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      rules_test(a_missing_step_is_told),
      rules_test(a_missing_step_down_is_told),
      rules_test(a_step_unlike_the_others_is_told),
      rules_test(a_count_may_end_where_it_began_or_stay_at_its_end),
      rules_test(other_tables_are_left_alone),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
