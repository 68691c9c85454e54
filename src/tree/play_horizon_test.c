#include "tree/play_horizon.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void games_that_end_need_no_more(void **state) {
  play_horizon h = horizon_new(4000);
  (void)state;
  const uint64_t steps = h.steps;
  for (uint32_t i = 0; i < 10; i++) horizon_learn(&h, 512, 50);
  assert_int_equal(h.steps, steps);
}

static void long_games_get_all_steps(void **state) {
  play_horizon h = horizon_new(4000);
  (void)state;
  for (uint32_t i = 0; i < 10; i++) horizon_learn(&h, 512, 512 * 200 / h.steps);
  assert_true(h.steps >= 512);
  h = horizon_new(4000);
  for (uint64_t left = 512; left > 20; left /= 2) horizon_learn(&h, 512, left);
  assert_int_equal(h.steps, 1024);
}

static void endless_games_get_no_more_than_a_try(void **state) {
  play_horizon h = horizon_new(0);
  (void)state;
  const uint64_t steps = h.steps;
  horizon_learn(&h, 512, 500);
  assert_int_equal(h.steps, 2 * steps);
  for (uint32_t i = 0; i < 10; i++) horizon_learn(&h, 512, 500);
  assert_int_equal(h.steps, steps);
}

static void a_limit_is_kept(void **state) {
  play_horizon h = horizon_new(100);
  (void)state;
  for (uint32_t i = 0; i < 10; i++) horizon_learn(&h, 512, 400);
  assert_int_equal(h.steps, 100);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(games_that_end_need_no_more),
      cmocka_unit_test(long_games_get_all_steps),
      cmocka_unit_test(endless_games_get_no_more_than_a_try),
      cmocka_unit_test(a_limit_is_kept),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
