#include "machine/circuit_games_fixture.h"

static void agrees_on_games_that_circuits_treat_specially(void **state) {
  (void)state;
  assert_agrees_on_special_games("circuit");
}

static void agrees_on_random_games(void **state) {
  (void)state;
  assert_agrees_on_random_games("circuit", 0, 150);
}

static void agrees_on_builtin_games(void **state) {
  (void)state;
  assert_agrees_on_builtin("circuit", "tic-tac-toe", 20);
  assert_agrees_on_builtin("circuit", "simultaneous-tic-tac-toe", 10);
  assert_agrees_on_builtin("circuit", "kuhn-poker", 20);
  assert_agrees_on_builtin("circuit", "hex-5", 5);
  assert_agrees_on_builtin("circuit", "breakthrough-6", 2);
  assert_agrees_on_builtin("circuit", "nim", 20);
}

static void a_game_without_roles_is_told(void **state) {
  machine_fixture *f = *state;
  open_text(f, "(init p) (<= terminal (true p))");
  const machine_source from = {.program = &f->p};
  const uint32_t errors = f->d.errors;
  assert_null(machine_open("circuit", &from, &f->b, &f->d));
  assert_true(f->d.errors > errors);
}

static void a_game_that_takes_too_long_to_ground_is_told(void **state) {
  machine_fixture *f = *state;
  open_game(f, "(role r) (legal r a) (init p) (<= (next p) (true p))");
  const machine_source from = {.program = &f->p};
  budget b = budget_new(0, 0);
  b.end = BUDGET_TIME;
  b.countdown = UINT32_MAX;
  assert_null(machine_open("circuit", &from, &b, &f->d));
  assert_true(f->d.errors > 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      a_test(agrees_on_games_that_circuits_treat_specially),
      a_test(agrees_on_random_games),
      a_test(agrees_on_builtin_games),
      a_test(a_game_without_roles_is_told),
      a_test(a_game_that_takes_too_long_to_ground_is_told),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
