#include "board/board_fixture.h"
#include "board/evidence/hexagons.h"

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

#define NEIGHBOURS \
  "(adj a1 a2) (adj a2 a3) (adj b1 b2) (adj b2 b3) (adj a1 b1) (adj a2 b2) (adj a3 b3) "

static void facts_between_names_tell_neighbours(void **state) {
  board_fixture *f = *state;
  const char *const cells = "(init (at a1 x)) (init (at a2 x)) (init (at a3 x)) (init (at b1 x)) "
                            "(init (at b2 x)) (init (at b3 x)) ";
  text rules = text_new(f->keep);
  text_add_format(&rules, "(role robot) %s (adj a1 b2) (adj a2 b3) " NEIGHBOURS, cells);
  text_add(&rules, "(legal robot wait) (<= (next ?f) (true ?f)) (goal robot 50) terminal");
  assert_true(lay_out(f, "circuit", text_string(&rules)));
  assert_int_equal(f->survey.statics.hexagon_skew, 1);
  assert_int_equal(f->layout.boards.items[0].kind, BOARD_HEXAGONS);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void) {
  const struct CMUnitTest tests[] = {
      CASE(six_neighbours_are_those_of_a_hexagon),
      CASE(the_other_diagonal_skews_the_other_way),
      CASE(four_or_eight_neighbours_are_those_of_a_square),
      CASE(steps_that_rules_make_may_lead_both_ways),
      CASE(both_diagonals_are_those_of_a_square),
      CASE(facts_between_names_tell_neighbours),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
