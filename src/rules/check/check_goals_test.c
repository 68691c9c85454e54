#include "rules/rules_fixture.h"

#define ROLES "(role x)\n(role o)\n(init (won x))\n(init (won o))\n(init late)\n"

static void a_role_that_cannot_win_is_told(void **state) {
  rules_fixture *f = *state;
  check_text(f, ROLES "(<= (goal x 100) (true (won x)))\n(<= (goal x 0) (true (won o)))\n"
                      "(<= (goal o 90) (true (won o)))\n(<= (goal o 0) (true (won x)))");
  assert_fault(f, DIAG_W624, 2, 1, "(role o)",
               "no rule gives o the goal value 100; the most is 90");
}

static void a_table_of_scores_may_hold_the_win(void **state) {
  rules_fixture *f = *state;
  check_text(f, "(role x)\n(init (count 1))\n(score 1 0)\n(score 2 100)\n"
                "(<= (goal x ?v) (true (count ?n)) (score ?n ?v))");
  assert_none(f, DIAG_W624);
}

static void values_that_are_no_goals_are_told_alone(void **state) {
  rules_fixture *f = *state;
  check_text(f, "(role x)\n(init a)\n(<= (goal x 1000) (true a))");
  assert_int_equal(count_of(f, DIAG_W606), 1);
  assert_none(f, DIAG_W624);
}

static void a_draw_that_one_role_lacks_is_told(void **state) {
  rules_fixture *f = *state;
  check_text(
      f,
      ROLES "(<= (goal ?r 100) (true (won ?r)))\n(<= (goal ?r 0) (role ?r) (not (true (won ?r))))\n"
            "(<= (goal x 50) (true late) (not (true (won x))))");
  assert_fault(f, DIAG_W626, 2, 1, "(role o)", "every role but o can have the goal value 50");
}

static void roles_that_differ_on_purpose_are_left_alone(void **state) {
  rules_fixture *f = *state;
  check_text(
      f, ROLES
      "(<= (goal ?r 100) (true (won ?r)))\n(<= (goal x 40) (true late))\n(<= (goal o 60) (true late))");
  assert_none(f, DIAG_W626);
}

static void a_rule_that_asks_for_less_overlaps(void **state) {
  rules_fixture *f = *state;
  check_text(f, ROLES
             "(<= (goal ?r 100) (true (won ?r)))\n(<= (goal x 50) (true late) (true (won x)))");
  assert_fault(f, DIAG_W625, 7, 5, "(goal x 50)",
               "whenever this rule gives (goal x 50), another gives (goal ?r 100)");
  assert_place(f, related(f, DIAG_W625, 0)->where, 6, 5, "(goal ?r 100)");
}

static void a_goal_without_conditions_overlaps(void **state) {
  rules_fixture *f = *state;
  check_text(f, ROLES "(goal x 0)\n(<= (goal x 100) (true (won x)))");
  assert_int_equal(count_of(f, DIAG_W625), 1);
}

static void what_one_excludes_does_not_overlap(void **state) {
  rules_fixture *f = *state;
  check_text(f,
             ROLES "(<= (goal x 100) (true (won x)) (not (true late)))\n"
                   "(<= (goal x 50) (true (won x)) (true late))\n(<= (goal o 50) (true (won x)))");
  assert_none(f, DIAG_W625);
}

static void different_variables_may_be_different_roles(void **state) {
  rules_fixture *f = *state;
  check_text(f, ROLES "(other x o)\n(other o x)\n(<= (goal ?r 100) (true (won ?r)))\n"
                      "(<= (goal ?r 0) (other ?r ?s) (true (won ?s)))");
  assert_none(f, DIAG_W625);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      rules_test(a_role_that_cannot_win_is_told),
      rules_test(a_table_of_scores_may_hold_the_win),
      rules_test(values_that_are_no_goals_are_told_alone),
      rules_test(a_draw_that_one_role_lacks_is_told),
      rules_test(roles_that_differ_on_purpose_are_left_alone),
      rules_test(a_rule_that_asks_for_less_overlaps),
      rules_test(a_goal_without_conditions_overlaps),
      rules_test(what_one_excludes_does_not_overlap),
      rules_test(different_variables_may_be_different_roles),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
