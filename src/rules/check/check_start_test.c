#include "rules/rules_fixture.h"

#define ROWS \
  "(init (cell 1 1 b)) (init (cell 1 2 b)) (init (cell 1 3 b)) (init (cell 2 1 b)) (init (cell 2 2 b))\n"

static void a_hole_in_a_board_is_told(void **state) {
  rules_fixture *f = *state;
  check_text(f, ROWS "(init (cell 3 1 b)) (init (cell 3 2 b)) (init (cell 3 3 b))");
  assert_int_equal(count_of(f, DIAG_W629), 1);
  assert_string_equal(fault(f, DIAG_W629, 0)->message,
                      "the initial state has no (cell ...) for 2 3");
}

static void two_values_in_one_place_are_told(void **state) {
  rules_fixture *f = *state;
  check_text(f, ROWS "(init (cell 2 3 b))\n(init (cell 2 2 x))");
  assert_fault(f, DIAG_W629, 3, 7, "(cell 2 2 x)",
               "the initial state already gives this (cell ...) another value");
  assert_place(f, related(f, DIAG_W629, 0)->where, 1, 87, "(cell 2 2 b)");
}

static void a_board_that_is_not_square_is_no_fault(void **state) {
  rules_fixture *f = *state;
  check_text(f, ROWS "(init (cell 3 1 b))");
  assert_none(f, DIAG_W629);
}

static void a_full_board_that_is_kept_and_changed_is_told(void **state) {
  rules_fixture *f = *state;
  check_text(f, ROWS "(init (cell 2 3 b))\n(<= (next (cell ?x ?y x)) (does r (mark ?x ?y)))\n"
                     "(<= (next (cell ?x ?y ?m)) (true (cell ?x ?y ?m)))\n"
                     "(<= (legal r (mark ?x ?y)) (true (cell ?x ?y b)))");
  assert_fault(f, DIAG_W632, 4, 5, "(next (cell ?x ?y ?m))",
               "this rule keeps every (cell ...), and those that another rule changes, too");
}

static void stones_that_are_only_added_may_all_be_kept(void **state) {
  rules_fixture *f = *state;
  check_text(f, ROWS "(column 1)\n(column 4)\n(<= (next (cell ?x ?x x)) (column ?x))\n"
                     "(<= (next (cell ?x ?y ?m)) (true (cell ?x ?y ?m)))");
  assert_none(f, DIAG_W632);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      rules_test(a_hole_in_a_board_is_told),
      rules_test(two_values_in_one_place_are_told),
      rules_test(a_board_that_is_not_square_is_no_fault),
      rules_test(a_full_board_that_is_kept_and_changed_is_told),
      rules_test(stones_that_are_only_added_may_all_be_kept),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
