#include "rules/goal_value.h"

#include "rules/rules_fixture.h"

static bool reads(rules_fixture *f, const char *words, int32_t *value) {
  term_table t;
  terms_init(&t, symbols_new(f->keep), f->keep);
  const term_id constant = term_constant(&t, symbol_intern(t.symbols, slice_of(words)));
  return goal_value(&t, constant, value);
}

static void numbers_may_be_written_in_several_ways(void **state) {
  int32_t value;
  assert_true(reads(*state, "50", &value) && value == 50);
  assert_true(reads(*state, "050", &value) && value == 50);
  assert_true(reads(*state, "00100", &value) && value == 100);
  assert_true(reads(*state, "-0", &value) && value == 0);
  assert_true(reads(*state, "-5", &value) && value == -5);
  assert_true(reads(*state, "+5", &value) && value == 5);
  assert_true(reads(*state, "0000000000050", &value) && value == 50);
  assert_true(reads(*state, "2147483647", &value) && value == INT32_MAX);
  assert_true(reads(*state, "-2147483647", &value) && value == -INT32_MAX);
}

static void other_names_are_no_numbers(void **state) {
  int32_t value;
  assert_false(reads(*state, "win", &value));
  assert_false(reads(*state, "50x", &value));
  assert_false(reads(*state, "4294967296", &value));
  assert_false(reads(*state, "2147483648", &value));
  assert_false(reads(*state, "-2147483648", &value)); /* it stands for 'none' */
  assert_false(reads(*state, "-2147483649", &value));
  assert_false(reads(*state, "18446744073709551716", &value)); /* 100 more than 2^64 */
  assert_false(reads(*state, " 50", &value));
  assert_false(reads(*state, "50 ", &value));
  assert_false(reads(*state, "+", &value));
  assert_false(reads(*state, "--5", &value));
  assert_false(reads(*state, "", &value));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      rules_test(numbers_may_be_written_in_several_ways),
      rules_test(other_names_are_no_numbers),
  };
  return cmocka_run_group_tests_name("goal_value", tests, NULL, NULL);
}
