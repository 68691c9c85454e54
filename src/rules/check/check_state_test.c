#include "rules/rules_fixture.h"

static void an_end_that_no_state_decides_is_told(void **state) {
  rules_fixture *f = *state;
  check_text(f, "(role x)\n(<= over (role x))\n(<= terminal over)\n(<= terminal (true done))");
  assert_fault(f, DIAG_W630, 3, 5, "terminal",
               "this rule does not depend on the state: by it the game ends at once or never");
}

static void two_turns_at_once_are_told(void **state) {
  rules_fixture *f = *state;
  check_text(f, "(init (control x))\n(<= (next (control o)) (true (control x)))\n"
                "(<= (legal x go) (true (control x)) (true (control o)))");
  assert_fault(f, DIAG_W631, 3, 37, "(true (control o))",
               "(control x) and (control o) are probably never true at once");
}

static void what_is_kept_adds_up(void **state) {
  rules_fixture *f = *state;
  check_text(
      f,
      "(init (lamp 1))\n(<= (next (lamp ?n)) (true (lamp ?n)))\n(<= (next (lamp 2)) (does r on))\n"
      "(<= terminal (true (lamp 1)) (true (lamp 2)))");
  assert_none(f, DIAG_W631);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      rules_test(an_end_that_no_state_decides_is_told),
      rules_test(two_turns_at_once_are_told),
      rules_test(what_is_kept_adds_up),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
