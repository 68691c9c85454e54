#include "rules/rules_fixture.h"

#define ROLES "(role x)\n(role o)\n"
#define TURNS \
  ROLES "(init (control x))\n(<= (next (control o)) (true (control x)))\n" \
        "(<= (next (control x)) (true (control o)))\n"

static void a_move_that_no_rule_reads_is_told(void **state) {
  rules_fixture *f = *state;
  check_text(
      f,
      "(role x)\n(square 1)\n(<= (legal x (mark ?n)) (square ?n))\n(<= (next a) (does x pass))\n(legal x pass)");
  assert_fault(f, DIAG_W621, 3, 14, "(mark ?n)",
               "(mark ?n) of x changes nothing: no rule reads it");
}

static void a_move_that_is_read_of_another_role_is_told(void **state) {
  rules_fixture *f = *state;
  check_text(f, ROLES "(square 1)\n(<= (legal ?r (mark ?n)) (role ?r) (square ?n))\n"
                      "(<= (next (cell ?n x)) (does x (mark ?n)))");
  assert_fault(f, DIAG_W621, 4, 15, "(mark ?n)",
               "(mark ?n) of o changes nothing: no rule reads it");
}

static void a_pass_may_change_nothing(void **state) {
  rules_fixture *f = *state;
  check_text(f, "(role x)\n(legal x noop)\n(<= (next a) (true a))");
  assert_none(f, DIAG_W621);
}

static void a_variable_reads_every_move(void **state) {
  rules_fixture *f = *state;
  check_text(
      f,
      "(role x)\n(square 1)\n(<= (legal x (mark ?n)) (square ?n))\n(<= (next (did ?m)) (does x ?m))");
  assert_none(f, DIAG_W621);
}

static void a_role_that_only_waits_is_told(void **state) {
  rules_fixture *f = *state;
  check_text(f, ROLES "(legal x left)\n(legal x right)\n(legal o noop)");
  assert_fault(f, DIAG_W622, 5, 1, "(legal o noop)", "o never has a choice: its only move is noop");
}

static void several_values_of_one_move_are_a_choice(void **state) {
  rules_fixture *f = *state;
  check_text(f, ROLES "(n 1)\n(n 2)\n(legal x a)\n(legal x b)\n(<= (legal o (take ?n)) (n ?n))");
  assert_none(f, DIAG_W622);
}

static void nature_needs_no_choice(void **state) {
  rules_fixture *f = *state;
  check_text(f, "(role x)\n(role random)\n(legal x a)\n(legal x b)\n(legal random flip)");
  assert_none(f, DIAG_W622);
}

static void a_role_without_a_move_out_of_turn_is_told(void **state) {
  rules_fixture *f = *state;
  check_text(
      f, TURNS
      "(<= (legal x go) (true (control x)))\n(<= (legal o go) (true (control o)))\n(legal o noop)");
  assert_fault(f, DIAG_W623, 6, 5, "(legal x go)", "x has no move when (control ...) is another's");
}

static void a_rule_for_all_roles_is_told_for_each(void **state) {
  rules_fixture *f = *state;
  check_text(f, TURNS "(<= (legal ?r go) (true (control ?r)))");
  assert_int_equal(count_of(f, DIAG_W623), 2);
}

static void a_move_while_waiting_is_enough(void **state) {
  rules_fixture *f = *state;
  check_text(f, TURNS "(<= (legal ?r go) (true (control ?r)))\n"
                      "(<= (legal ?r noop) (role ?r) (not (true (control ?r))))");
  assert_none(f, DIAG_W623);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      rules_test(a_move_that_no_rule_reads_is_told),
      rules_test(a_move_that_is_read_of_another_role_is_told),
      rules_test(a_pass_may_change_nothing),
      rules_test(a_variable_reads_every_move),
      rules_test(a_role_that_only_waits_is_told),
      rules_test(several_values_of_one_move_are_a_choice),
      rules_test(nature_needs_no_choice),
      rules_test(a_role_without_a_move_out_of_turn_is_told),
      rules_test(a_rule_for_all_roles_is_told_for_each),
      rules_test(a_move_while_waiting_is_enough),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
