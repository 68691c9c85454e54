#include "rules/rules_fixture.h"

static void init_must_not_read_the_state(void **state) {
  rules_fixture *f = *state;
  check_text(f, "(<= (init (p ?x)) (true (q ?x)))");
  assert_fault(f, DIAG_E205, 1, 19, "(true (q ?x))", "init depends on true");
}

static void a_literal_that_reads_state_and_move_is_reported_once(void **state) {
  rules_fixture *f = *state;
  check_text(f, "(<= (base ?x) (both ?x))\n(<= (both ?x) (true ?x) (does r ?x))");
  assert_fault(f, DIAG_E205, 1, 15, "(both ?x)", "base depends on true through both");
  assert_place(f, related(f, DIAG_E205, 0)->where, 2, 15, "(true ?x)");
}

static void every_condition_that_breaks_the_rule_is_reported(void **state) {
  rules_fixture *f = *state;
  check_text(f, "(<= (input r ?x) (true ?x) (does r ?x))");
  assert_int_equal(count_of(f, DIAG_E205), 2);
}

static void legal_goal_and_terminal_must_not_read_moves(void **state) {
  rules_fixture *f = *state;
  check_text(f, "(<= (legal r ?m) (does r ?m))\n(<= (goal r 100) won)\n(<= terminal (not won))\n"
                "(<= won (does r win))");
  assert_int_equal(count_of(f, DIAG_E206), 3);
  assert_string_equal(fault(f, DIAG_E206, 1)->message, "goal depends on does through won");
  assert_place(f, fault(f, DIAG_E206, 2)->where, 3, 19, "won");
}

static void shows_a_shortest_way(void **state) {
  rules_fixture *f = *state;
  check_text(f, "(<= terminal a)\n(<= a b)\n(<= b c)\n(<= c (does r m))\n(<= b (does r n))");
  assert_string_equal(related(f, DIAG_E206, 0)->message, "a depends on b here");
  assert_place(f, related(f, DIAG_E206, 1)->where, 5, 7, "(does r n)");
}

static void a_condition_in_an_or_is_reported_once(void **state) {
  rules_fixture *f = *state;
  check_text(f, "(<= terminal (does r m) (or a b c))");
  assert_int_equal(count_of(f, DIAG_E206), 1);
}

static void next_may_read_both(void **state) {
  rules_fixture *f = *state;
  check_text(f, "(<= (next ?x) (true ?x) (does r ?x))");
  assert_none(f, DIAG_E205);
  assert_none(f, DIAG_E206);
}

static void init_and_next_in_bodies_are_warned_of(void **state) {
  rules_fixture *f = *state;
  check_text(f, "(<= p (next (f a)))\n(<= q (not (init (f a))))");
  assert_int_equal(count_of(f, DIAG_W208), 2);
  assert_place(f, fault(f, DIAG_W208, 1)->where, 2, 12, "(init (f a))");
}

static void sees_in_a_body_is_refused(void **state) {
  rules_fixture *f = *state;
  check_text(f, "(<= p (sees r x))");
  assert_fault(f, DIAG_E202, 1, 7, "(sees r x)", "sees cannot be a condition");
}

static void roles_are_facts_with_plain_names(void **state) {
  rules_fixture *f = *state;
  check_text(f, "(role white)\n(<= (role ?x) (player ?x))\n(role (player 2))");
  assert_fault(f, DIAG_W207, 2, 1, "(<= (role ?x) (player ?x))", "a role is defined by a rule");
  assert_fault(f, DIAG_W209, 3, 7, "(player 2)", "a role should be a plain name");
}

static void a_rule_without_conditions_is_warned_of(void **state) {
  rules_fixture *f = *state;
  check_text(f, "(p a)\n(<= (p b))");
  assert_fault(f, DIAG_W113, 2, 1, "(<= (p b))", "this rule has no conditions");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      rules_test(init_must_not_read_the_state),
      rules_test(a_literal_that_reads_state_and_move_is_reported_once),
      rules_test(every_condition_that_breaks_the_rule_is_reported),
      rules_test(legal_goal_and_terminal_must_not_read_moves),
      rules_test(shows_a_shortest_way),
      rules_test(a_condition_in_an_or_is_reported_once),
      rules_test(next_may_read_both),
      rules_test(init_and_next_in_bodies_are_warned_of),
      rules_test(sees_in_a_body_is_refused),
      rules_test(roles_are_facts_with_plain_names),
      rules_test(a_rule_without_conditions_is_warned_of),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
