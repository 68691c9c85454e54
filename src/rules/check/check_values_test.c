#include "rules/rules_fixture.h"

#define BOARD \
  "(role x)\n(index 1)\n(index 2)\n(index 3)\n(<= (init (cell ?x ?y b)) (index ?x) (index ?y))\n" \
  "(<= (legal x (mark ?x ?y)) (true (cell ?x ?y b)))\n" \
  "(<= (next (cell ?x ?y x)) (does x (mark ?x ?y)))\n" \
  "(<= (next (cell ?x ?y ?m)) (true (cell ?x ?y ?m)) (not (does x (mark ?x ?y))))\n"

static void a_square_off_the_board_is_found(void **state) {
  rules_fixture *f = *state;
  check_text(f, BOARD "(<= terminal (true (cell 1 4 x)))");
  assert_fault(f, DIAG_W616, 9, 28, "4",
               "this rule never fires: 4 is never the second argument of cell");
  assert_string_equal(fault(f, DIAG_W616, 0)->hint, "it can be 1, 2 or 3");
}

static void a_misspelled_value_is_named(void **state) {
  rules_fixture *f = *state;
  check_text(
      f,
      "(role x)\n(init (lamp blank))\n(init (lamp white))\n(<= (next (lamp ?c)) (true (lamp ?c)))\n"
      "(<= terminal (true (lamp wite)))");
  assert_string_equal(fault(f, DIAG_W616, 0)->hint, "did you mean white? It can be blank or white");
}

static void arguments_in_the_wrong_order_have_no_value_in_common(void **state) {
  rules_fixture *f = *state;
  check_text(f, "(file a)\n(rank 1)\n(at a 1)\n(<= (free ?f ?r) (file ?f) (rank ?r) (at ?r ?f))");
  assert_int_equal(count_of(f, DIAG_W616), 1);
  assert_string_equal(
      fault(f, DIAG_W616, 0)->message,
      "this rule never fires: ?f is the argument of file and the second argument of "
      "at, which have no value in common");
  assert_place(f, related(f, DIAG_W616, 0)->where, 4, 24, "?f");
}

static void distinct_can_leave_no_value(void **state) {
  rules_fixture *f = *state;
  check_text(f, "(p 0)\n(<= (q ?x) (p ?x) (distinct ?x 0))");
  assert_fault(f, DIAG_W616, 2, 19, "(distinct ?x 0)",
               "this rule never fires: (distinct ?x 0) leaves no value for ?x");
}

static void only_the_cause_is_told(void **state) {
  rules_fixture *f = *state;
  check_text(f, BOARD "(<= row (true (cell 4 1 x)))\n(<= line row)\n(<= terminal line)");
  assert_int_equal(count_of(f, DIAG_W616), 1);
  assert_int_equal(source_place(&f->s, fault(f, DIAG_W616, 0)->where.start).line, 9);
}

static void rules_that_wait_for_each_other_are_told_once(void **state) {
  rules_fixture *f = *state;
  check_text(f, "(<= (p a) (q a))\n(<= (q a) (p a))");
  assert_fault(f, DIAG_W616, 1, 11, "(q a)",
               "this rule never fires: (q a) is derived only by rules that need it");
}

static void a_fluent_that_is_only_kept_never_holds(void **state) {
  rules_fixture *f = *state;
  check_text(f, "(init start)\n(<= (next moved) (true moved))\n(<= terminal (true moved))");
  assert_int_equal(count_of(f, DIAG_W616), 1);
}

static void one_alternative_may_be_impossible_by_its_variables(void **state) {
  rules_fixture *f = *state;
  check_text(f, "(p 1)\n(q 2)\n(r 1)\n(<= (s ?x) (or (p ?x) (q ?x)) (or (r ?x) (q ?x)))");
  assert_none(f, DIAG_W616);
}

static void one_alternative_with_a_wrong_constant_is_told(void **state) {
  rules_fixture *f = *state;
  check_text(f, BOARD "(<= terminal (or (true (cell 1 1 x)) (true (cell 1 9 x))))");
  assert_int_equal(count_of(f, DIAG_W616), 1);
}

static void what_was_told_of_a_rule_is_not_told_again(void **state) {
  rules_fixture *f = *state;
  check_text(
      f,
      "(role x)\n(wired on)\n(<= p (wired off))\n(<= q (undefined 1))\n(<= (next a) (does y go))\n"
      "(legal x go)");
  assert_int_equal(count_of(f, DIAG_W608), 1);
  assert_int_equal(count_of(f, DIAG_W304), 1);
  assert_int_equal(count_of(f, DIAG_W615), 1);
  assert_none(f, DIAG_W616);
}

static void a_negation_that_excludes_nothing_is_found(void **state) {
  rules_fixture *f = *state;
  check_text(f, BOARD "(<= terminal (index ?x) (not (true (cell ?x 1 blank))))");
  assert_fault(f, DIAG_W617, 9, 47, "blank",
               "`not` of this always holds: blank is never the third argument of cell");
}

static void a_negated_variable_of_another_kind_is_found(void **state) {
  rules_fixture *f = *state;
  check_text(f, "(role x)\n(mark b)\n(line b)\n(<= (free ?r) (role ?r) (not (line ?r)))");
  assert_fault(
      f, DIAG_W617, 4, 36, "?r",
      "`not` of this always holds: ?r is the argument of role, which is never the argument of line");
}

static void distinct_from_what_can_never_be_is_found(void **state) {
  rules_fixture *f = *state;
  check_text(f, "(role x)\n(role o)\n(<= (p ?r) (role ?r) (distinct ?r xx))");
  assert_fault(f, DIAG_W617, 3, 22, "(distinct ?r xx)", "(distinct ?r xx) always holds");
  assert_string_equal(fault(f, DIAG_W617, 0)->hint,
                      "?r is the argument of role, which can be x or o");
}

/* Counting down stops before the last, and the rule says so once more. */
static void a_value_that_one_of_two_conditions_excludes_is_no_fault(void **state) {
  rules_fixture *f = *state;
  check_text(
      f, "(index 1)\n(index 2)\n(succ 1 2)\n(<= (p ?x) (index ?x) (succ ?x ?_y) (distinct ?x 2))");
  assert_none(f, DIAG_W617);
}

static void a_negation_of_what_an_idle_rule_would_give_is_a_consequence(void **state) {
  rules_fixture *f = *state;
  check_text(f, "(p 1)\n(q 1)\n(<= (q 2) (p 3))\n(<= r (not (q 2)))");
  assert_none(f, DIAG_W617);
}

static void nothing_is_said_of_rules_with_errors(void **state) {
  rules_fixture *f = *state;
  check_text(f, BOARD "(<= terminal (true (cell 1 4 x)) (not (true (cell ?z 1 x))))");
  assert_int_equal(count_of(f, DIAG_E402), 1);
  assert_none(f, DIAG_W616);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      rules_test(a_square_off_the_board_is_found),
      rules_test(a_misspelled_value_is_named),
      rules_test(arguments_in_the_wrong_order_have_no_value_in_common),
      rules_test(distinct_can_leave_no_value),
      rules_test(only_the_cause_is_told),
      rules_test(rules_that_wait_for_each_other_are_told_once),
      rules_test(a_fluent_that_is_only_kept_never_holds),
      rules_test(one_alternative_may_be_impossible_by_its_variables),
      rules_test(one_alternative_with_a_wrong_constant_is_told),
      rules_test(what_was_told_of_a_rule_is_not_told_again),
      rules_test(a_negation_that_excludes_nothing_is_found),
      rules_test(a_negated_variable_of_another_kind_is_found),
      rules_test(distinct_from_what_can_never_be_is_found),
      rules_test(a_value_that_one_of_two_conditions_excludes_is_no_fault),
      rules_test(a_negation_of_what_an_idle_rule_would_give_is_a_consequence),
      rules_test(nothing_is_said_of_rules_with_errors),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
