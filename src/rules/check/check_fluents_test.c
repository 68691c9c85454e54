#include "rules/rules_fixture.h"

static void a_fluent_that_only_init_gives_is_lost(void **state) {
  rules_fixture *f = *state;
  check_text(f, "(init (lamp 1))\n(<= (next done) (true (lamp 1)))\n(<= terminal (true done))");
  assert_fault(f, DIAG_W618, 1, 7, "(lamp 1)",
               "(lamp ...) is lost after the initial state: no rule for next gives it");
}

static void a_mark_of_the_first_state_may_be_lost(void **state) {
  rules_fixture *f = *state;
  check_text(f, "(init first)\n(<= (next done) (true first))\n(<= terminal (true done))");
  assert_none(f, DIAG_W618);
}

static void a_value_of_a_board_that_no_rule_keeps_is_lost(void **state) {
  rules_fixture *f = *state;
  check_text(f,
             "(init (cell 1 b))\n(init (cell 2 b))\n(<= (legal r (mark ?n)) (true (cell ?n b)))\n"
             "(<= (next (cell ?n x)) (does r (mark ?n)))");
  assert_fault(
      f, DIAG_W618, 1, 15, "b",
      "(cell ...) with b is lost after the initial state: no rule for next gives that value");
}

static void a_phase_or_a_count_leaves_its_start(void **state) {
  rules_fixture *f = *state;
  check_text(
      f,
      "(s 1 2)\n(s 2 3)\n(init (step 1))\n(init (phase open))\n(<= (next (step ?n)) (true (step ?m)) (s ?m ?n))\n"
      "(<= (next (phase play)) (true (phase open)))\n(<= terminal (true (step 3)))");
  assert_none(f, DIAG_W618);
}

static void a_role_whose_turn_never_comes_back_is_told(void **state) {
  rules_fixture *f = *state;
  check_text(f,
             "(role x)\n(role o)\n(init (control x))\n(<= (next (control o)) (true (control x)))\n"
             "(<= (legal ?r go) (true (control ?r)))\n(<= (legal ?r noop) (role ?r))");
  assert_int_equal(count_of(f, DIAG_W618), 1);
  assert_place(f, fault(f, DIAG_W618, 0)->where, 3, 16, "x");
}

static void a_board_that_does_not_look_back_is_lost(void **state) {
  rules_fixture *f = *state;
  check_text(f, "(init (cell 1 b))\n(init (cell 2 b))\n(init (cell 3 x))\n(init (cell 4 b))\n"
                "(<= (legal r (put ?n ?m)) (true (cell ?n ?_m)) (true (cell ?_n ?m)))\n"
                "(<= (next (cell ?n ?m)) (does r (put ?n ?m)))");
  assert_fault(
      f, DIAG_W618, 6, 11, "(cell ?n ?m)",
      "(cell ...) is lost after the initial state: no rule for next reads its previous value");
}

static void a_board_that_looks_back_through_a_relation_is_kept(void **state) {
  rules_fixture *f = *state;
  check_text(f, "(init (cell 1 b))\n(init (cell 2 b))\n(init (cell 3 x))\n(init (cell 4 b))\n"
                "(<= (kept ?n ?m) (true (cell ?n ?m)))\n(<= (next (cell ?n ?m)) (kept ?n ?m))");
  assert_none(f, DIAG_W618);
}

static void without_next_that_alone_is_told(void **state) {
  rules_fixture *f = *state;
  check_text(f, "(init (lamp 1))\n(<= terminal (true (lamp 2)))");
  assert_int_equal(count_of(f, DIAG_W612), 1);
  assert_none(f, DIAG_W618);
}

static void a_fluent_that_nobody_reads_is_told(void **state) {
  rules_fixture *f = *state;
  check_text(f,
             "(init (seen 1))\n(<= (next (seen ?n)) (true (seen ?n)))\n(<= terminal (true over))");
  assert_fault(f, DIAG_W619, 1, 7, "(seen 1)",
               "(seen ...) is made true and never read, except to keep itself");
}

static void a_variable_in_place_of_a_fluent_reads_all(void **state) {
  rules_fixture *f = *state;
  check_text(f, "(init (seen 1))\n(<= (next ?f) (true ?f))");
  assert_none(f, DIAG_W619);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      rules_test(a_fluent_that_only_init_gives_is_lost),
      rules_test(a_mark_of_the_first_state_may_be_lost),
      rules_test(a_value_of_a_board_that_no_rule_keeps_is_lost),
      rules_test(a_phase_or_a_count_leaves_its_start),
      rules_test(a_role_whose_turn_never_comes_back_is_told),
      rules_test(a_board_that_does_not_look_back_is_lost),
      rules_test(a_board_that_looks_back_through_a_relation_is_kept),
      rules_test(without_next_that_alone_is_told),
      rules_test(a_fluent_that_nobody_reads_is_told),
      rules_test(a_variable_in_place_of_a_fluent_reads_all),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
