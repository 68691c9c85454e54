/* Searches from any position, and the options of machines. */
#include "api/api_fixture.h"

#define MATCHING_PENNIES \
  "(role even) (role odd) (init open) (<= (legal ?r heads) (role ?r)) (<= (legal ?r tails) (role ?r))\n" \
  "(<= (next same) (does even ?m) (does odd ?m)) (<= (next shown) (does even ?m))\n" \
  "(<= terminal (true shown)) (<= (goal even 100) (true same)) (<= (goal odd 0) (true same))\n" \
  "(<= (goal even 0) (not (true same))) (<= (goal odd 100) (not (true same)))\n"

static void a_game_of_one_role_is_worth_the_best(void **state) {
  api_fixture *f = *state;
  open_game(f, COUNTING_GAME, "circuit");
  tabia_minimax *x = tabia_minimax_new(f->machine);
  assert_int_equal(tabia_minimax_run(x, 4, NULL, f->log), TABIA_OK);
  assert_true(tabia_minimax_has_values(x));
  assert_true(tabia_minimax_value(x, 0) == 100);
  assert_int_equal(tabia_minimax_sense(x), TABIA_SENSE_BEST);
  assert_string_equal(tabia_sense_name(TABIA_SENSE_BEST), "best");
  assert_true(tabia_minimax_is_exact(x));
  assert_true(tabia_minimax_reaches_end(x));
  assert_false(tabia_minimax_has_chance(x));
  assert_int_equal(tabia_minimax_nodes(x, 0), 1);
  assert_int_equal(tabia_minimax_nodes(x, 1), 2);
  assert_int_equal(tabia_minimax_nodes(x, 5), 0);
  assert_int_equal(tabia_minimax_total(x), 1 + 2 + 2 + 2 + 1);
  assert_int_equal(tabia_minimax_faults(x), 0);
  tabia_minimax_free(x);
}

static void searches_begin_where_they_are_told(void **state) {
  api_fixture *f = *state;
  unsigned char position[POSITION_MAX];
  tabia_move stop;
  open_game(f, COUNTING_GAME, "circuit");
  tabia_workspace *w = tabia_workspace_new(f->machine, NULL);
  tabia_minimax *x = tabia_minimax_new(f->machine);
  tabia_perft *p = tabia_perft_new(f->machine);
  tabia_position_start(f->machine, position);
  assert_true(tabia_move_find(w, position, 0, "stop", &stop));
  tabia_position_step(w, position, &stop, position);
  tabia_minimax_set_start(x, position);
  assert_int_equal(tabia_minimax_run(x, 3, NULL, f->log), TABIA_OK);
  assert_true(tabia_minimax_value(x, 0) == 0);
  tabia_perft_set_start(p, position);
  assert_int_equal(tabia_perft_run(p, 2, NULL, f->log), TABIA_OK);
  assert_int_equal(tabia_perft_total(p), 1);
  tabia_minimax_set_ignore_terminal(x, true);
  assert_int_equal(tabia_minimax_run(x, 3, NULL, f->log), TABIA_OK);
  assert_int_equal(tabia_minimax_nodes(x, 1), 2);
  tabia_perft_free(p);
  tabia_minimax_free(x);
  tabia_workspace_free(w);
}

static void choices_at_once_have_bounds(void **state) {
  api_fixture *f = *state;
  open_game(f, MATCHING_PENNIES, "circuit");
  tabia_minimax *x = tabia_minimax_new(f->machine);
  assert_int_equal(tabia_minimax_run(x, 1, NULL, f->log), TABIA_OK);
  assert_int_equal(tabia_minimax_sense(x), TABIA_SENSE_BOUND);
  assert_false(tabia_minimax_is_exact(x));
  assert_true(tabia_minimax_value(x, 0) == 0);
  assert_true(tabia_minimax_has_most(x));
  assert_true(tabia_minimax_most(x, 0) == 100);
  tabia_minimax_free(x);
}

static void hidden_states_are_declined(void **state) {
  api_fixture *f = *state;
  assert_int_equal(tabia_rules_read(&f->rules, "kuhn-poker", f->log), TABIA_OK);
  assert_int_equal(tabia_machine_open(&f->machine, f->rules, "circuit", NULL, f->log), TABIA_OK);
  assert_true(tabia_machine_has_hidden_state(f->machine));
  tabia_minimax *x = tabia_minimax_new(f->machine);
  assert_int_equal(tabia_minimax_run(x, 2, NULL, f->log), TABIA_FAULTY);
  assert_false(tabia_minimax_has_values(x));
  assert_says(f, "roles know only what they see");
  tabia_minimax_set_perfect_information(x, true);
  assert_int_equal(tabia_minimax_run(x, 2, NULL, f->log), TABIA_OK);
  assert_false(tabia_minimax_is_exact(x));
  tabia_minimax_free(x);
}

static void alpha_beta_is_for_two(void **state) {
  api_fixture *f = *state;
  assert_int_equal(tabia_rules_read(&f->rules, "three-player-tic-tac-toe", f->log), TABIA_OK);
  assert_int_equal(tabia_machine_open(&f->machine, f->rules, "circuit", NULL, f->log), TABIA_OK);
  tabia_minimax *x = tabia_minimax_new(f->machine);
  tabia_minimax_set_alpha_beta(x, true);
  assert_int_equal(tabia_minimax_run(x, 2, NULL, f->log), TABIA_MISUSE);
  tabia_minimax_set_alpha_beta(x, false);
  assert_int_equal(tabia_minimax_run(x, 1001, NULL, f->log), TABIA_MISUSE);
  tabia_minimax_free(x);
}

static void perft_is_divided_by_first_moves(void **state) {
  api_fixture *f = *state;
  assert_int_equal(tabia_rules_read(&f->rules, "tic-tac-toe", f->log), TABIA_OK);
  assert_int_equal(tabia_machine_open(&f->machine, f->rules, "lanes", NULL, f->log), TABIA_OK);
  tabia_perft *p = tabia_perft_new(f->machine);
  uint64_t sum = 0;
  tabia_perft_set_divide(p, true);
  assert_int_equal(tabia_perft_run(p, 3, NULL, f->log), TABIA_OK);
  assert_int_equal(tabia_perft_part_count(p), 9);
  for (uint32_t i = 0; i < 9; i++) {
    char move[64];
    sum += tabia_perft_part_nodes(p, i);
    tabia_move_text(f->machine, 0, tabia_perft_part_joint(p, i)[0], move, sizeof move);
    assert_memory_equal(move, "(place ", 7);
  }
  assert_int_equal(sum, 9 * 8 * 7);
  assert_int_equal(tabia_perft_nodes(p, 3), sum);
  assert_int_equal(tabia_perft_stuck(p), 0);
  tabia_perft_free(p);
}

static void machines_take_options(void **state) {
  api_fixture *f = *state;
  assert_int_equal(tabia_rules_read(&f->rules, "tic-tac-toe", f->log), TABIA_OK);
  tabia_options_set(f->options, "encoding", "direct");
  assert_int_equal(
      tabia_machine_open_with(&f->machine, f->rules, "datalog", f->options, NULL, f->log),
      TABIA_OK);
  assert_string_equal(tabia_machine_encoding(f->machine), "direct");
  tabia_perft *p = tabia_perft_new(f->machine);
  assert_int_equal(tabia_perft_run(p, 2, NULL, f->log), TABIA_OK);
  assert_int_equal(tabia_perft_nodes(p, 2), 72);
  tabia_perft_free(p);
  tabia_machine_close(f->machine);
  tabia_options_set(f->options, "encoding", NULL);
  tabia_options_set(f->options, "purpose", "playouts");
  assert_int_equal(tabia_machine_open_with(&f->machine, f->rules, "auto", f->options, NULL, f->log),
                   TABIA_OK);
  assert_string_equal(tabia_machine_kind(f->machine), "lanes");
  assert_string_equal(tabia_machine_encoding(f->machine), "original");
  tabia_machine_close(f->machine);
  tabia_options_set(f->options, "purpose", "fun");
  assert_int_equal(tabia_machine_open_with(&f->machine, f->rules, "auto", f->options, NULL, f->log),
                   TABIA_MISUSE);
  assert_null(f->machine);
}

static void playouts_count_choices_and_faults(void **state) {
  api_fixture *f = *state;
  open_game(f, MATCHING_PENNIES, "circuit");
  tabia_playouts *p = tabia_playouts_new(f->machine);
  tabia_playouts_set_count(p, 100);
  assert_int_equal(tabia_playouts_run(p, NULL, f->log), TABIA_OK);
  assert_int_equal(tabia_playouts_choices(p, 0), 0);
  assert_int_equal(tabia_playouts_choices(p, 1), 0);
  assert_int_equal(tabia_playouts_choices(p, 2), 100);
  assert_true(tabia_playouts_mean_joint_moves(p) == 4);
  assert_true(tabia_playouts_has_goals(p, 0));
  assert_int_equal(tabia_playouts_stuck(p), 0);
  assert_int_equal(tabia_playouts_bad_goals(p), 0);
  tabia_playouts_free(p);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      a_test(a_game_of_one_role_is_worth_the_best),
      a_test(searches_begin_where_they_are_told),
      a_test(choices_at_once_have_bounds),
      a_test(hidden_states_are_declined),
      a_test(alpha_beta_is_for_two),
      a_test(perft_is_divided_by_first_moves),
      a_test(machines_take_options),
      a_test(playouts_count_choices_and_faults),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
