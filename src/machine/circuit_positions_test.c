/* The machines on circuits beside `reference`. */
#include "machine/circuit/circuit_games_fixture.h"

static const char *const kinds[] = {"circuit", "lanes"};
enum { KINDS = sizeof kinds / sizeof *kinds };

static void agree_on_games_that_circuits_treat_specially(void **state) {
  (void)state;
  for (uint32_t i = 0; i < KINDS; i++) assert_agrees_on_special_games(kinds[i]);
}

static void agree_on_random_games(void **state) {
  (void)state;
  for (uint32_t i = 0; i < KINDS; i++) assert_agrees_on_random_games(kinds[i], 0, 150);
}

static void agree_on_builtin_games(void **state) {
  (void)state;
  for (uint32_t i = 0; i < KINDS; i++) {
    assert_agrees_on_builtin(kinds[i], "tic-tac-toe", 20);
    assert_agrees_on_builtin(kinds[i], "simultaneous-tic-tac-toe", 10);
    assert_agrees_on_builtin(kinds[i], "kuhn-poker", 20);
    assert_agrees_on_builtin(kinds[i], "hex-5", 5);
    assert_agrees_on_builtin(kinds[i], "breakthrough-6", 2);
    assert_agrees_on_builtin(kinds[i], "nim", 20);
  }
}

static void a_game_without_roles_is_told(void **state) {
  machine_fixture *f = *state;
  open_text(f, "(init p) (<= terminal (true p))");
  const machine_source from = {.program = &f->p};
  for (uint32_t i = 0; i < KINDS; i++) {
    const uint32_t errors = f->d.errors;
    assert_null(machine_open(kinds[i], &from, &f->b, &f->d));
    assert_true(f->d.errors > errors);
  }
}

static budget spent_budget(void) {
  budget b = budget_new(0, 0);
  b.end = BUDGET_TIME;
  b.countdown = UINT32_MAX;
  return b;
}

static void a_game_that_takes_too_long_to_ground_is_told(void **state) {
  machine_fixture *f = *state;
  open_game(f, "(role r) (legal r a) (init p) (<= (next p) (true p))");
  const machine_source from = {.program = &f->p};
  for (uint32_t i = 0; i < KINDS; i++) {
    budget b = spent_budget();
    const uint32_t errors = f->d.errors;
    assert_null(machine_open(kinds[i], &from, &b, &f->d));
    assert_true(f->d.errors > errors);
  }
}

/* `lanes` makes its net when it is first asked, which may be too late. */
static void a_net_that_takes_too_long_is_trouble(void **state) {
  machine_fixture *f = *state;
  open_game(f, "(role r) (legal r a) (init p) (<= (next q) (true p))");
  const machine_source from = {.program = &f->p};
  machine *m = machine_open("lanes", &from, &f->b, &f->d);
  budget b = spent_budget();
  machine_workspace *w = machine_workspace_new(m, &b);
  uint64_t position[1], next[1];
  const move_id joint[1] = {0};
  machine_start(m, position);
  assert_true(machine_terminal(m, w, position));
  assert_true(w->trouble.is_there);
  assert_int_equal(machine_legal(m, w, position, 0, NULL, 0), 0);
  assert_int_equal(machine_goals(m, w, position, 0, NULL, 0), 0);
  machine_step(m, w, position, joint, next);
  assert_true(machine_report_trouble(w, &f->d));
  machine_workspace_free(m, w);
  w = machine_workspace_new(m, &f->b); /* with time it is made after all */
  assert_int_equal(machine_legal(m, w, position, 0, NULL, 0), 1);
  machine_workspace_free(m, w);
  machine_close(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      a_test(agree_on_games_that_circuits_treat_specially),
      a_test(agree_on_random_games),
      a_test(agree_on_builtin_games),
      a_test(a_game_without_roles_is_told),
      a_test(a_game_that_takes_too_long_to_ground_is_told),
      a_test(a_net_that_takes_too_long_is_trouble),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
