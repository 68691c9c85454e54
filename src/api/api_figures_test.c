/* Random games and counts through tabia.h. */
#include "api/api_fixture.h"

/* ---- random games ---- */

static void games_begin_where_they_are_told(void **state) {
  api_fixture *f = *state;
  unsigned char position[POSITION_MAX];
  static const char *const kinds[] = {"lanes", "circuit", "reference"};
  assert_int_equal(read_text(f, COUNTING_GAME), TABIA_OK);
  for (int i = 0; i < 3; i++) {
    tabia_machine_open(&f->machine, f->rules, kinds[i], NULL, f->log);
    tabia_workspace *w = tabia_workspace_new(f->machine, NULL);
    tabia_playouts *p = tabia_playouts_new(f->machine);
    tabia_move go;
    tabia_position_start(f->machine, position);
    for (int step = 0; step < 3; step++) {
      assert_true(tabia_move_find(w, position, 0, "go", &go));
      tabia_position_step(w, position, &go, position);
    }
    tabia_playouts_set_count(p, 1000);
    tabia_playouts_set_start(p, position); /* where only one move is left */
    assert_int_equal(tabia_playouts_run(p, NULL, f->log), TABIA_OK);
    assert_int_equal(tabia_playouts_played(p), 1000);
    assert_int_equal(tabia_playouts_goal_count(p, 0, 100), 1000);
    assert_int_equal(tabia_playouts_states(p), 1000);
    tabia_playouts_set_start(p, NULL);
    assert_int_equal(tabia_playouts_run(p, NULL, f->log), TABIA_OK);
    assert_int_equal(tabia_playouts_played(p), 1000);
    assert_in_range(tabia_playouts_goal_count(p, 0, 100), 60, 190); /* 125 in the mean */
    assert_int_equal(tabia_playouts_longest(p), 4);
    tabia_playouts_free(p);
    tabia_workspace_free(w);
    tabia_machine_close(f->machine);
  }
  f->machine = NULL;
}

static void a_terminal_start_is_worth_its_goals(void **state) {
  api_fixture *f = *state;
  unsigned char position[POSITION_MAX];
  tabia_move stop;
  open_game(f, COUNTING_GAME, "lanes");
  tabia_workspace *w = tabia_workspace_new(f->machine, NULL);
  tabia_playouts *p = tabia_playouts_new(f->machine);
  tabia_position_start(f->machine, position);
  assert_true(tabia_move_find(w, position, 0, "stop", &stop));
  tabia_position_step(w, position, &stop, position);
  tabia_playouts_set_start(p, position);
  tabia_playouts_set_count(p, 100);
  assert_int_equal(tabia_playouts_run(p, NULL, f->log), TABIA_OK);
  assert_int_equal(tabia_playouts_goal_count(p, 0, 0), 100);
  assert_int_equal(tabia_playouts_longest(p), 0);
  tabia_playouts_free(p);
  tabia_workspace_free(w);
}

static void threads_do_not_change_figures(void **state) {
  api_fixture *f = *state;
  open_file(f, "games/tic-tac-toe.kif", "lanes");
  tabia_playouts *p = tabia_playouts_new(f->machine);
  tabia_playouts_set_count(p, 1000 * 1000);
  tabia_playouts_set_seed(p, 5);
  assert_int_equal(tabia_playouts_run(p, NULL, f->log), TABIA_OK);
  const uint64_t states = tabia_playouts_states(p), wins = tabia_playouts_goal_count(p, 0, 100);
  assert_in_range(wins, 582000, 588000);
  assert_true(tabia_playouts_mean_length(p) > 7.6 && tabia_playouts_mean_length(p) < 7.65);
  tabia_playouts_set_threads(p, 3);
  assert_int_equal(tabia_playouts_run(p, NULL, f->log), TABIA_OK);
  assert_int_equal(tabia_playouts_states(p), states);
  assert_int_equal(tabia_playouts_goal_count(p, 0, 100), wins);
  tabia_playouts_free(p);
}

static void games_without_an_end_in_sight_are_misuse(void **state) {
  api_fixture *f = *state;
  open_game(f, COUNTING_GAME, "lanes");
  tabia_playouts *p = tabia_playouts_new(f->machine);
  assert_int_equal(tabia_playouts_run(p, NULL, f->log), TABIA_MISUSE);
  assert_says(f, "a count or a time");
  assert_int_equal(tabia_playouts_played(p), 0);
  assert_int_equal(tabia_playouts_goal_count(p, 0, 100), 0);
  tabia_playouts_free(p);
}

static void a_stuck_role_is_told_and_not_counted(void **state) {
  api_fixture *f = *state;
  static const char *const kinds[] = {"lanes", "reference"};
  assert_int_equal(read_text(f, STUCK_GAME), TABIA_OK);
  for (int i = 0; i < 2; i++) {
    tabia_machine_open(&f->machine, f->rules, kinds[i], NULL, f->log);
    tabia_playouts *p = tabia_playouts_new(f->machine);
    tabia_playouts_set_count(p, 10);
    assert_int_equal(tabia_playouts_run(p, NULL, f->log), TABIA_FAULTY);
    assert_int_equal(tabia_playouts_faulty(p), 10);
    assert_int_equal(tabia_playouts_played(p), 0);
    assert_int_equal(tabia_playouts_first_fault(p), 0);
    assert_says(f, "robot has no legal move");
    assert_says(f, "1. go");
    tabia_messages_clear(f->log);
    tabia_playouts_free(p);
    tabia_machine_close(f->machine);
  }
  f->machine = NULL;
}

static void games_keep_to_limits(void **state) {
  api_fixture *f = *state;
  const volatile sig_atomic_t flag = 1;
  open_game(f, COUNTING_GAME, "reference");
  tabia_playouts *p = tabia_playouts_new(f->machine);
  tabia_limits_set_interrupt(f->limits, &flag);
  tabia_playouts_set_count(p, 1000 * 1000 * 1000);
  assert_int_equal(tabia_playouts_run(p, f->limits, f->log), TABIA_LIMIT);
  assert_says(f, "[E803]");
  tabia_playouts_free(p);
}

static void figures_tell_of_choices_and_sums(void **state) {
  api_fixture *f = *state;
  open_file(f, "games/tic-tac-toe.kif", "circuit");
  tabia_playouts *p = tabia_playouts_new(f->machine);
  int64_t least = 0, most = 0;
  tabia_playouts_set_count(p, 100);
  assert_int_equal(tabia_playouts_run(p, NULL, f->log), TABIA_OK);
  assert_true(tabia_playouts_role_chose(p, 0) && tabia_playouts_role_chose(p, 1));
  assert_true(tabia_playouts_goal_sums(p, &least, &most));
  assert_int_equal(least, 100);
  assert_int_equal(most, 100);
  tabia_playouts_free(p);
}

static void long_games_are_given_up_and_counted(void **state) {
  api_fixture *f = *state;
  open_file(f, "games/tic-tac-toe.kif", "lanes");
  tabia_playouts *p = tabia_playouts_new(f->machine);
  tabia_playouts_set_count(p, 50);
  tabia_playouts_set_max_steps(p, 3);
  assert_int_equal(tabia_playouts_run(p, NULL, f->log), TABIA_OK);
  assert_int_equal(tabia_playouts_too_long(p), 50);
  tabia_playouts_free(p);
}

static tabia_playouts *share_of_games(api_fixture *f, uint64_t share, uint64_t shares) {
  tabia_playouts *p = tabia_playouts_new(f->machine);
  tabia_playouts_set_count(p, 5000);
  tabia_playouts_set_share(p, share, shares);
  assert_int_equal(tabia_playouts_run(p, NULL, f->log), TABIA_OK);
  return p;
}

static void check_shares(api_fixture *f, const char *machine) {
  open_file(f, "games/tic-tac-toe.kif", machine);
  tabia_playouts *all = share_of_games(f, 0, 0);
  uint64_t played = 0, states = 0, wins = 0;
  for (uint64_t share = 0; share < 3; share++) {
    tabia_playouts *part = share_of_games(f, share, 3);
    played += tabia_playouts_played(part);
    states += tabia_playouts_states(part);
    wins += tabia_playouts_goal_count(part, 0, 100);
    tabia_playouts_free(part);
  }
  assert_int_equal(played, 5000);
  assert_int_equal(states, tabia_playouts_states(all));
  assert_int_equal(wins, tabia_playouts_goal_count(all, 0, 100));
  tabia_playouts_set_share(all, 3, 3);
  assert_int_equal(tabia_playouts_run(all, NULL, f->log), TABIA_MISUSE);
  tabia_playouts_free(all);
}

static void close_game(api_fixture *f) {
  tabia_machine_close(f->machine);
  tabia_rules_free(f->rules);
  f->machine = NULL;
  f->rules = NULL;
}

static void shares_of_games_add_up(void **state) {
  check_shares(*state, "circuit");
  close_game(*state);
  check_shares(*state, "lanes");
}

static void counters_are_of_machines_that_play_in_bulk(void **state) {
  api_fixture *f = *state;
  uint64_t states[2];
  for (uint32_t i = 0; i < 2; i++) {
    open_file(f, "games/tic-tac-toe.kif", "lanes");
    tabia_playouts *p = tabia_playouts_new(f->machine);
    tabia_playouts_set_count(p, 20000);
    tabia_playouts_set_threads(p, i + 1);
    assert_true(tabia_playouts_set_random(p, "counter"));
    assert_int_equal(tabia_playouts_run(p, NULL, f->log), TABIA_OK);
    assert_int_equal(tabia_playouts_played(p), 20000);
    states[i] = tabia_playouts_states(p);
    tabia_playouts_free(p);
    close_game(f);
  }
  assert_int_equal(states[0], states[1]);
  open_file(f, "games/tic-tac-toe.kif", "circuit");
  tabia_playouts *p = tabia_playouts_new(f->machine);
  tabia_playouts_set_count(p, 10);
  assert_false(tabia_playouts_set_random(p, "dice"));
  assert_int_equal(tabia_playouts_run(p, NULL, f->log), TABIA_OK);
  assert_true(tabia_playouts_set_random(p, "counter"));
  assert_int_equal(tabia_playouts_run(p, NULL, f->log), TABIA_MISUSE);
  tabia_playouts_free(p);
}

static void time_ends_games_too(void **state) {
  api_fixture *f = *state;
  open_game(f, COUNTING_GAME, "lanes");
  tabia_playouts *p = tabia_playouts_new(f->machine);
  tabia_playouts_set_seconds(p, 0.5);
  assert_int_equal(tabia_playouts_run(p, NULL, f->log), TABIA_OK);
  assert_true(tabia_playouts_played(p) > 0);
  tabia_playouts_free(p);
}

/* ---- counting ---- */

static void ways_are_counted(void **state) {
  api_fixture *f = *state;
  open_file(f, "games/tic-tac-toe.kif", "circuit");
  tabia_perft *p = tabia_perft_new(f->machine);
  assert_int_equal(tabia_perft_nodes(p, 0), 0);
  assert_int_equal(tabia_perft_run(p, 9, NULL, f->log), TABIA_OK);
  assert_int_equal(tabia_perft_depth(p), 9);
  assert_int_equal(tabia_perft_nodes(p, 2), 72);
  assert_int_equal(tabia_perft_nodes(p, 9), 127872);
  assert_int_equal(tabia_perft_unique(p, 9), 78);
  assert_int_equal(tabia_perft_nodes(p, 10), 0);
  tabia_perft_set_ignore_terminal(p, true);
  tabia_perft_set_threads(p, 2);
  assert_int_equal(tabia_perft_run(p, 9, NULL, f->log), TABIA_OK);
  assert_int_equal(tabia_perft_nodes(p, 9), 362880);
  tabia_perft_free(p);
}

static void counting_tells_where_a_role_is_stuck(void **state) {
  api_fixture *f = *state;
  open_game(f, STUCK_GAME, "reference");
  tabia_perft *p = tabia_perft_new(f->machine);
  assert_int_equal(tabia_perft_run(p, 3, NULL, f->log), TABIA_FAULTY);
  assert_says(f, "robot has no legal move");
  tabia_perft_free(p);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      a_test(games_begin_where_they_are_told),
      a_test(a_terminal_start_is_worth_its_goals),
      a_test(threads_do_not_change_figures),
      a_test(games_without_an_end_in_sight_are_misuse),
      a_test(a_stuck_role_is_told_and_not_counted),
      a_test(games_keep_to_limits),
      a_test(figures_tell_of_choices_and_sums),
      a_test(long_games_are_given_up_and_counted),
      a_test(shares_of_games_add_up),
      a_test(counters_are_of_machines_that_play_in_bulk),
      a_test(time_ends_games_too),
      a_test(ways_are_counted),
      a_test(counting_tells_where_a_role_is_stuck),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
