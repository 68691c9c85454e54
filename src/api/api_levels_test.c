/* States by depth, from the header. */
#include "api/api_fixture.h"
#include "api/exchange_fixture.h"

#include <stdlib.h>
#include <unistd.h>

static void levels_are_counted_to_the_depth_or_to_the_end(void **state) {
  api_fixture *f = *state;
  open_game(f, COUNTING_GAME, "lanes");
  tabia_levels *x = tabia_levels_new(f->machine);
  assert_null(tabia_levels_total(x));
  tabia_levels_set_threads(x, 2);
  assert_int_equal(tabia_levels_run(x, 1, NULL, f->log), TABIA_OK);
  assert_int_equal(tabia_levels_count(x), 2);
  assert_string_equal(tabia_levels_states(x, 0), "1");
  assert_string_equal(tabia_levels_states(x, 1), "2");
  assert_null(tabia_levels_states(x, 2));
  assert_false(tabia_levels_are_all(x));
  assert_int_equal(tabia_levels_run(x, UINT32_MAX, NULL, f->log), TABIA_OK);
  assert_true(tabia_levels_are_all(x));
  assert_string_equal(tabia_levels_total(x), "8");
  tabia_levels_free(x);
}

static void other_machines_are_declined(void **state) {
  api_fixture *f = *state;
  open_game(f, COUNTING_GAME, "reference");
  tabia_levels *x = tabia_levels_new(f->machine);
  assert_int_equal(tabia_levels_run(x, 1, NULL, f->log), TABIA_FAULTY);
  assert_int_equal(tabia_levels_count(x), 0);
  tabia_levels_free(x);
}

static void diagrams_need_their_program(void **state) {
  api_fixture *f = *state;
  const char *before = getenv("TABIA_BDD");
  char kept[4096] = "";
  if (before) strncpy(kept, before, sizeof kept - 1);
  open_game(f, COUNTING_GAME, "lanes");
  tabia_levels *x = tabia_levels_new(f->machine);
  tabia_levels_set_diagrams(x, true);
  setenv("TABIA_BDD", "/nowhere/tabia-bdd", 1);
  assert_int_equal(tabia_levels_run(x, UINT32_MAX, NULL, f->log), TABIA_UNREADABLE);
  unsetenv("TABIA_BDD");
  if (before) {
    setenv("TABIA_BDD", kept, 1);
    assert_int_equal(tabia_levels_run(x, UINT32_MAX, NULL, f->log), TABIA_OK);
    assert_string_equal(tabia_levels_total(x), "8");
  }
  tabia_levels_free(x);
}

/* ---- several processes ---- */

static void one_process_of_an_exchange_counts_the_same(void **state) {
  api_fixture *f = *state;
  const tabia_exchange e = exchange_of_size(1, NULL);
  open_game(f, COUNTING_GAME, "lanes");
  tabia_levels *x = tabia_levels_new(f->machine);
  tabia_levels_set_exchange(x, &e);
  assert_int_equal(tabia_levels_run(x, 1, NULL, f->log), TABIA_OK);
  assert_int_equal(tabia_levels_count(x), 2);
  assert_false(tabia_levels_are_all(x));
  assert_int_equal(tabia_levels_run(x, UINT32_MAX, NULL, f->log), TABIA_OK);
  assert_string_equal(tabia_levels_total(x), "8");
  assert_true(tabia_levels_are_all(x));
  tabia_levels_free(x);
}

/* A second process is expected that cannot be told anything. */
static void messages_that_fail_end_the_run(void **state) {
  api_fixture *f = *state;
  const tabia_exchange e = exchange_of_size(2, NULL);
  open_game(f, COUNTING_GAME, "lanes");
  tabia_levels *x = tabia_levels_new(f->machine);
  tabia_levels_set_exchange(x, &e);
  assert_int_equal(tabia_levels_run(x, UINT32_MAX, NULL, f->log), TABIA_LIMIT);
  assert_says(f, "another process");
  tabia_levels_free(x);
}

static void a_run_in_files_counts_the_same_and_leaves_none(void **state) {
  api_fixture *f = *state;
  char files[] = "/tmp/api-levels-test-XXXXXX";
  open_game(f, COUNTING_GAME, "lanes");
  tabia_levels *x = tabia_levels_new(f->machine);
  tabia_levels_set_checkpoint(x, mkdtemp(files), 1e-9);
  assert_int_equal(tabia_levels_run(x, UINT32_MAX, NULL, f->log), TABIA_OK);
  assert_string_equal(tabia_levels_total(x), "8");
  assert_int_not_equal(access(files, F_OK), 0);
  tabia_levels_set_diagrams(x, true);
  assert_int_equal(tabia_levels_run(x, UINT32_MAX, NULL, f->log), TABIA_MISUSE);
  tabia_levels_free(x);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(levels_are_counted_to_the_depth_or_to_the_end, set_up,
                                      tear_down),
      cmocka_unit_test_setup_teardown(other_machines_are_declined, set_up, tear_down),
      cmocka_unit_test_setup_teardown(diagrams_need_their_program, set_up, tear_down),
      cmocka_unit_test_setup_teardown(one_process_of_an_exchange_counts_the_same, set_up,
                                      tear_down),
      cmocka_unit_test_setup_teardown(messages_that_fail_end_the_run, set_up, tear_down),
      cmocka_unit_test_setup_teardown(a_run_in_files_counts_the_same_and_leaves_none, set_up,
                                      tear_down),
  };
  return cmocka_run_group_tests_name("api/levels", tests, NULL, NULL);
}
