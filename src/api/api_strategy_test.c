#include "api/exploit_fixture.h"

#include <math.h>

static tabia_strategy *opened(api_fixture *f, const char *game) {
  tabia_strategy *s;
  assert_int_equal(tabia_rules_read(&f->rules, game, f->log), TABIA_OK);
  assert_int_equal(tabia_machine_open(&f->machine, f->rules, "lanes", NULL, f->log), TABIA_OK);
  assert_int_equal(tabia_strategy_open(&s, f->machine, f->options, f->log), TABIA_OK);
  return s;
}

/* A chip is 25 points.  What both responses get above the sum of the goals, halved. */
static double exploitability_in_chips(api_fixture *f, tabia_strategy *s) {
  return (best_response(f->machine, s, 0) + best_response(f->machine, s, 1) - 100) / 2 / 25;
}

static void nobody_exploits_it_at_kuhn_poker(void **state) {
  api_fixture *f = *state;
  tabia_strategy *s = opened(f, "kuhn-poker");
  assert_true(exploitability_in_chips(f, s) > .3);
  assert_int_equal(tabia_strategy_learn(s, 0, 200000, NULL, f->log), TABIA_OK);
  assert_int_equal(tabia_strategy_games(s), 200000);
  assert_int_equal(tabia_strategy_sets(s), 12);
  const double chips = exploitability_in_chips(f, s);
  if (chips > .02) fail_msg("exploited by %.4f chips", chips);
  /* The value of the game: the first role loses an eighteenth of a chip. */
  assert_true(fabs(best_response(f->machine, s, 0) - (50 - 25.0 / 18)) < 1);
  tabia_strategy_close(s);
}

static tabia_move move_named(api_fixture *f, const void *position, uint32_t role,
                             const char *words) {
  tabia_move move;
  tabia_workspace *w = tabia_workspace_new(f->machine, NULL);
  assert_true(tabia_move_find(w, position, role, words, &move));
  tabia_workspace_free(w);
  return move;
}

/* The candidate picks a door, another is opened: it has to switch. */
static void the_candidate_switches(void **state) {
  _Alignas(8) unsigned char position[POSITION_MAX];
  static const char *const lines[][2] = {
      {"noop", "(hide 2)"}, {"(pick 1)", "noop"}, {"noop", "(open 3)"}};
  api_fixture *f = *state;
  tabia_strategy *s = opened(f, "monty-hall");
  tabia_workspace *w = tabia_workspace_new(f->machine, NULL);
  tabia_position_start(f->machine, position);
  for (uint32_t i = 0; i < 3; i++) {
    tabia_percept percepts[8];
    const tabia_move joint[] = {move_named(f, position, 0, lines[i][0]),
                                move_named(f, position, 1, lines[i][1])};
    const uint32_t count = tabia_position_sees(w, position, joint, 0, percepts, 8);
    assert_int_equal(tabia_strategy_tell(s, 0, joint[0], percepts, count), TABIA_OK);
    tabia_position_step(w, position, joint, position);
  }
  assert_int_equal(tabia_strategy_visits(s, 0), 0);
  assert_true(tabia_strategy_share(s, 0, move_named(f, position, 0, "stay")) == 1);
  assert_int_equal(tabia_strategy_think(s, 0, 0, 4000, NULL, f->log), TABIA_OK);
  assert_true(tabia_strategy_visits(s, 0) > 1000);
  assert_true(tabia_strategy_share(s, 0, move_named(f, position, 0, "switch")) > .95);
  tabia_strategy_restart(s);
  tabia_workspace_free(w);
  tabia_strategy_close(s);
}

static void a_strategy_needs_numbers_and_right_options(void **state) {
  api_fixture *f = *state;
  tabia_strategy *s = opened(f, "kuhn-poker");
  tabia_strategy_close(s);
  tabia_options_set(f->options, "memory", "10");
  assert_int_equal(tabia_strategy_open(&s, f->machine, f->options, f->log), TABIA_MISUSE);
  assert_null(s);
  assert_says(f, "memory has to be a number of bytes");
  tabia_options_set(f->options, "memory", "1M");
  tabia_options_set(f->options, "strangers", "1");
  assert_int_equal(tabia_strategy_open(&s, f->machine, f->options, f->log), TABIA_MISUSE);
  assert_says(f, "strangers has to be at least 0 and below 1");
  tabia_machine_close(f->machine);
  assert_int_equal(tabia_machine_open(&f->machine, f->rules, "reference", NULL, f->log), TABIA_OK);
  assert_int_equal(tabia_strategy_open(&s, f->machine, NULL, f->log), TABIA_MISUSE);
  assert_says(f, "knows its moves in advance");
}

static void limits_end_it(void **state) {
  api_fixture *f = *state;
  tabia_strategy *s = opened(f, "dark-tic-tac-toe");
  for (double seconds = .05; tabia_strategy_games(s) == 0; seconds *= 2) { /* on a busy computer */
    tabia_limits_set_seconds(f->limits, seconds);
    assert_int_equal(tabia_strategy_learn(s, 0, 0, f->limits, f->log), TABIA_LIMIT);
  }
  tabia_strategy_close(s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      a_test(nobody_exploits_it_at_kuhn_poker), a_test(the_candidate_switches),
      a_test(a_strategy_needs_numbers_and_right_options), a_test(limits_end_it)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
