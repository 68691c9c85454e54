#include "api/api_fixture.h"

static tabia_coverage *cover(api_fixture *f) {
  tabia_coverage *c;
  assert_int_equal(read_text(f, COUNTING_GAME), TABIA_OK);
  assert_int_equal(tabia_coverage_new(&c, f->rules, f->limits, f->log), TABIA_OK);
  return c;
}

static uint32_t fired(const tabia_coverage *c) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < tabia_coverage_count(c); i++) count += tabia_coverage_fired(c, i);
  return count;
}

static bool has_fired(const tabia_coverage *c, const char *rule) {
  for (uint32_t i = 0; i < tabia_coverage_count(c); i++)
    if (strcmp(tabia_coverage_rule(c, i), rule) == 0 && tabia_coverage_fired(c, i)) return true;
  return false;
}

static void a_line_fires_what_its_states_and_moves_do(void **state) {
  api_fixture *f = *state;
  tabia_coverage *c = cover(f);
  assert_int_equal(tabia_coverage_count(c), 10);
  assert_int_equal(tabia_coverage_line(c, 0), 2);
  assert_int_equal(fired(c), 0);
  assert_int_equal(tabia_coverage_follow(c, NULL, NULL, f->log), TABIA_OK);
  assert_true(has_fired(c, "(<= (legal robot go) ...)"));
  assert_true(has_fired(c, "(<= (goal robot 0) ...)"));
  assert_false(has_fired(c, "(<= (next over) ...)"));
  assert_int_equal(tabia_coverage_follow(c, "(at 2)", "stop", f->log), TABIA_OK);
  assert_true(has_fired(c, "(<= (next over) ...)"));
  assert_true(has_fired(c, "(<= terminal ...)"));
  assert_true(has_fired(c, "(<= (goal robot 70) ...)"));
  assert_false(has_fired(c, "(<= (goal robot 100) ...)"));
  tabia_coverage_free(c);
}

static void random_games_fire_the_rest(void **state) {
  api_fixture *f = *state;
  tabia_coverage *c = cover(f);
  assert_int_equal(tabia_coverage_play(c, 100, 10, 1, f->log), TABIA_OK);
  assert_int_equal(fired(c), tabia_coverage_count(c));
  tabia_coverage_free(c);
}

static void a_line_that_is_none_is_refused(void **state) {
  api_fixture *f = *state;
  tabia_coverage *c = cover(f);
  assert_int_equal(tabia_coverage_follow(c, NULL, "fly", f->log), TABIA_FAULTY);
  assert_int_equal(tabia_coverage_follow(c, "(flying 1)", NULL, f->log), TABIA_UNREADABLE);
  assert_int_equal(fired(c), 0);
  tabia_coverage_free(c);
}

static void random_games_keep_to_limits(void **state) {
  api_fixture *f = *state;
  tabia_coverage *c;
  assert_int_equal(read_text(f, COUNTING_GAME), TABIA_OK);
  assert_int_equal(tabia_coverage_new(&c, f->rules, f->limits, f->log), TABIA_OK);
  tabia_limits_cancel(f->limits);
  assert_int_equal(tabia_coverage_play(c, 100, 10, 1, f->log), TABIA_LIMIT);
  assert_says(f, "stopped: not all games were followed [E803]");
  tabia_coverage_free(c);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      a_test(a_line_fires_what_its_states_and_moves_do),
      a_test(random_games_fire_the_rest),
      a_test(a_line_that_is_none_is_refused),
      a_test(random_games_keep_to_limits),
  };
  return cmocka_run_group_tests_name("api/api_coverage", tests, NULL, NULL);
}
