#include "rules/rules_fixture.h"

static void recursion_over_facts_keeps_the_restriction(void **state) {
  rules_fixture *f = *state;
  check_text(f, "(edge a b)\n(<= (path ?x ?y) (edge ?x ?y))\n"
                "(<= (path ?x ?z) (edge ?x ?y) (path ?y ?z))");
  assert_true(f->r.recursion_ok);
  assert_true(f->r.bounded);
}

static void a_head_that_grows_is_an_error(void **state) {
  rules_fixture *f = *state;
  check_text(f, "(nat z)\n(<= (nat (s ?x)) (nat ?x))");
  assert_fault(f, DIAG_E503, 2, 23, "?x",
               "?x occurs only in the recursive condition (nat ?x), and nat may grow without end");
  assert_place(f, related(f, DIAG_E503, 0)->where, 2, 5, "(nat (s ?x))");
  assert_false(f->r.recursion_ok);
  assert_false(f->r.bounded);
  assert_none(f, DIAG_W504);
}

static void growth_through_several_rules_is_found(void **state) {
  rules_fixture *f = *state;
  check_text(f, "(a z)\n(<= (b (s ?x)) (a ?x))\n(<= (a ?x) (b ?x))");
  assert_true(count_of(f, DIAG_E503) >= 1);
}

static void a_condition_outside_the_recursion_bounds_it(void **state) {
  rules_fixture *f = *state;
  check_text(f, "(number z)\n(nat z)\n(<= (nat (s ?x)) (nat ?x) (number ?x))");
  assert_true(f->r.recursion_ok);
}

static void finite_recursion_that_breaks_the_restriction_is_warned_of(void **state) {
  rules_fixture *f = *state;
  check_text(f, "(edge a b)\n(<= (path ?x ?y) (edge ?x ?y))\n"
                "(<= (path ?x ?z) (path ?x ?y) (path ?y ?z))");
  assert_int_equal(count_of(f, DIAG_W505), 2);
  assert_place(f, fault(f, DIAG_W505, 0)->where, 3, 27, "?y");
  assert_none(f, DIAG_E503);
  assert_false(f->r.recursion_ok);
  assert_true(f->r.bounded);
}

static void a_step_counter_is_bounded(void **state) {
  rules_fixture *f = *state;
  check_text(f, "(succ 1 2)\n(init (step 1))\n(<= (next (step ?y)) (true (step ?x)) (succ ?x ?y))");
  assert_true(f->r.bounded);
}

static void moves_and_frames_are_bounded(void **state) {
  rules_fixture *f = *state;
  check_text(
      f,
      "(init (cell 1 1 b))\n(<= (legal ?r (mark ?x ?y)) (role ?r) (true (cell ?x ?y b)))\n"
      "(<= (next (cell ?x ?y ?r)) (does ?r (mark ?x ?y)))\n"
      "(<= (next (cell ?x ?y ?w)) (true (cell ?x ?y ?w)) (does ?r (mark ?m ?n)) (distinct ?x ?m))");
  assert_true(f->r.bounded);
}

static void a_fluent_that_grows_is_unbounded(void **state) {
  rules_fixture *f = *state;
  check_text(f, "(init (count z))\n(<= (next (count (s ?n))) (true (count ?n)))");
  assert_fault(f, DIAG_W504, 2, 11, "(count (s ?n))",
               "(count (s ?n)) can grow from state to state without bound");
  assert_false(f->r.bounded);
  assert_true(f->r.recursion_ok);
}

static void growth_through_moves_is_unbounded(void **state) {
  rules_fixture *f = *state;
  check_text(f, "(init (word a))\n(<= (legal r (say ?w)) (true (word ?w)))\n"
                "(<= (next (word (more ?w))) (does r (say ?w)))");
  assert_int_equal(count_of(f, DIAG_W504), 1);
}

/* (n a), (n (n a)) and so on: the move is the whole fluent. */
static void fluents_put_into_each_other_are_unbounded(void **state) {
  rules_fixture *f = *state;
  check_text(f, "(init (n a))\n(<= (legal r ?m) (true ?m))\n(<= (next (n ?m)) (does r ?m))");
  assert_false(f->r.bounded);
  assert_fault(f, DIAG_W504, 3, 11, "(n ?m)", "(n ?m) can grow from state to state without bound");
}

/* A piece goes from the board into the hand and back: deeper there, but not ever deeper. */
static void terms_may_move_between_fluents_of_different_depth(void **state) {
  rules_fixture *f = *state;
  check_text(f, "(init (cell 1 (piece white king)))\n"
                "(<= (next (hand ?c ?k)) (true (cell ?x (piece ?c ?k))))\n"
                "(<= (next (cell 1 (piece ?c ?k))) (true (hand ?c ?k)))");
  assert_true(f->r.bounded);
}

static void whole_fluents_may_be_variables(void **state) {
  rules_fixture *f = *state;
  check_text(f, "(init (p a))\n(<= (next ?f) (true ?f) (not (does r (clear ?f))))\n"
                "(<= (legal r (clear ?f)) (true ?f))");
  assert_true(f->r.bounded);
  check_text(f, "(init (p a))\n(<= (next (wrap ?f)) (true ?f))");
  assert_false(f->r.bounded);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      rules_test(recursion_over_facts_keeps_the_restriction),
      rules_test(a_head_that_grows_is_an_error),
      rules_test(growth_through_several_rules_is_found),
      rules_test(a_condition_outside_the_recursion_bounds_it),
      rules_test(finite_recursion_that_breaks_the_restriction_is_warned_of),
      rules_test(a_step_counter_is_bounded),
      rules_test(moves_and_frames_are_bounded),
      rules_test(a_fluent_that_grows_is_unbounded),
      rules_test(growth_through_moves_is_unbounded),
      rules_test(fluents_put_into_each_other_are_unbounded),
      rules_test(terms_may_move_between_fluents_of_different_depth),
      rules_test(whole_fluents_may_be_variables),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
