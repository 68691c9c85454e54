#include "board/board_fixture.h"
#include "board/hexagons.h"

#define STRAIGHT \
  "(<= (near ?x ?y ?x ?z) (succ ?y ?z)) (<= (near ?x ?y ?z ?y) (succ ?x ?z)) (succ 1 2) "
#define FALLING "(<= (near ?x ?y ?u ?v) (succ ?x ?u) (succ ?v ?y)) "
#define RISING "(<= (near ?x ?y ?u ?v) (succ ?x ?u) (succ ?y ?v)) "

static void assert_skew(void **state, const char *rules, int skew) {
  board_fixture *f = *state;
  read_rules(f, rules);
  assert_int_equal(rules_hexagon_skew(&f->p), skew);
}

static void six_neighbours_are_those_of_a_hexagon(void **state) {
  assert_skew(state, STRAIGHT FALLING, -1);
}

static void the_other_diagonal_skews_the_other_way(void **state) {
  assert_skew(state, STRAIGHT RISING, 1);
}

static void four_or_eight_neighbours_are_those_of_a_square(void **state) {
  assert_skew(state, STRAIGHT, 0);
}

static void both_diagonals_are_those_of_a_square(void **state) {
  assert_skew(state, STRAIGHT FALLING RISING, 0);
}

static void steps_that_rules_make_may_lead_both_ways(void **state) {
  assert_skew(state,
              "(<= (near ?x ?y ?x ?z) (side ?y ?z)) (<= (near ?x ?y ?z ?y) (side ?x ?z)) "
              "(<= (near ?x ?y ?u ?v) (side ?x ?u) (side ?y ?v)) (succ 1 2) "
              "(<= (side ?x ?y) (succ ?x ?y)) (<= (side ?x ?y) (succ ?y ?x))",
              0);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void) {
  const struct CMUnitTest tests[] = {
      CASE(six_neighbours_are_those_of_a_hexagon),
      CASE(the_other_diagonal_skews_the_other_way),
      CASE(four_or_eight_neighbours_are_those_of_a_square),
      CASE(steps_that_rules_make_may_lead_both_ways),
      CASE(both_diagonals_are_those_of_a_square),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
