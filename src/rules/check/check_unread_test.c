#include "rules/rules_fixture.h"

#define TURNS \
  "(role white)\n(role black)\n(init (control white))\n(<= (legal ?r go) (true (control ?r)))\n"

static void control_of_no_role_is_told(void **state) {
  rules_fixture *f = *state;
  check_text(
      f,
      TURNS "(<= (legal ?r noop) (role ?r))\n(<= (next (control schwarz)) (true (control white)))");
  assert_fault(f, DIAG_W620, 6, 20, "schwarz", "no rule reads schwarz as the argument of control");
}

static void a_turn_of_nobody_that_is_asked_for_is_no_fault(void **state) {
  rules_fixture *f = *state;
  check_text(
      f, TURNS
      "(<= (next (control nobody)) (true (control white)))\n(<= terminal (true (control nobody)))");
  assert_none(f, DIAG_W620);
}

static void a_value_that_nobody_reads_and_that_is_near_to_another_is_a_slip(void **state) {
  rules_fixture *f = *state;
  check_text(
      f,
      "(init (cell 1 blank))\n(init (cell 2 blnak))\n(<= (next (cell ?x ?m)) (true (cell ?x ?m)))\n"
      "(<= (legal r (mark ?x)) (true (cell ?x blank)))");
  assert_fault(f, DIAG_W620, 2, 15, "blnak", "no rule reads blnak as the second argument of cell");
  assert_string_equal(fault(f, DIAG_W620, 0)->hint, "did you mean blank?");
}

static void a_wall_is_read_by_nobody(void **state) {
  rules_fixture *f = *state;
  check_text(
      f,
      "(init (cell 1 free))\n(init (cell 2 wall))\n(<= (next (cell ?x ?m)) (true (cell ?x ?m)))\n"
      "(<= (legal r (go ?x)) (true (cell ?x free)))");
  assert_none(f, DIAG_W620);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      rules_test(control_of_no_role_is_told),
      rules_test(a_turn_of_nobody_that_is_asked_for_is_no_fault),
      rules_test(a_value_that_nobody_reads_and_that_is_near_to_another_is_a_slip),
      rules_test(a_wall_is_read_by_nobody),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
