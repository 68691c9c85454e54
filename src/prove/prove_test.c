#include "prove/prove_fixture.h"

/* ---- the faulty games ---- */

static void finds_the_line_in_a_million_that_leaves_a_role_stuck(void **state) {
  prove_fixture *f = *state;
  read_builtin(f, "unsound/stuck-after-twelve");
  static const char *const methods[] = {"exhaustive", "pdr", "bmc", "auto"};
  for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
    const finding *v = found(f, "playable", methods[i]);
    assert_int_equal(v->kind, VERDICT_REFUTED);
    assert_int_equal(v->length, 12);
    assert_string_equal(v->reason, "burglar has no legal move, and the state is not terminal");
  }
  assert_verdict(f, "playable", "probe", "unknown");
}

static void finds_a_cycle(void **state) {
  prove_fixture *f = *state;
  read_builtin(f, "unsound/runs-in-circles");
  static const char *const methods[] = {"exhaustive", "probe", "auto"};
  for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
    const finding *v = found(f, "terminates", methods[i]);
    assert_int_equal(v->kind, VERDICT_REFUTED);
    assert_int_equal(v->length - v->returns_to, 4);
  }
  assert_verdict(f, "terminates", "termination", "unknown");
  ask(f, "terminates");
  run(f, "bmc", 0.2);
  assert_int_equal(f->j.findings[0].kind, VERDICT_UNKNOWN);
}

static void finds_a_terminal_state_without_goal(void **state) {
  prove_fixture *f = *state;
  read_builtin(f, "unsound/goal-missing");
  static const char *const methods[] = {"exhaustive", "probe", "pdr", "bmc", "auto"};
  for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
    const finding *v = found(f, "goals", methods[i]);
    assert_int_equal(v->kind, VERDICT_REFUTED);
    assert_int_equal(v->length, 1);
  }
}

static void finds_that_a_role_never_wins(void **state) {
  prove_fixture *f = *state;
  read_builtin(f, "unsound/never-wins");
  static const char *const methods[] = {"exhaustive", "pdr", "bmc", "auto"};
  for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
    assert_verdict(f, "winnable second", methods[i], "refuted");
    assert_verdict(f, "winnable first", methods[i], "proved");
  }
}

/* ---- sound ones ---- */

/* The example of the paper. */
static void simultaneous_tic_tac_toe_is_playable_and_need_not_end(void **state) {
  prove_fixture *f = *state;
  read_builtin(f, "simultaneous-tic-tac-toe");
  static const char *const methods[] = {"exhaustive", "induction", "pdr", "auto"};
  for (size_t i = 0; i < sizeof methods / sizeof *methods; i++)
    assert_verdict(f, "playable", methods[i], "proved");
  assert_verdict(f, "terminates", "exhaustive", "refuted");
  assert_verdict(f, "terminates", "termination", "unknown");
}

static void proves_that_boards_fill_up(void **state) {
  prove_fixture *f = *state;
  read_builtin(f, "connect-four");
  assert_verdict(f, "terminates", "termination", "proved");
  read_builtin(f, "hex-5");
  assert_verdict(f, "terminates", "termination", "proved");
}

static void names_moves_that_are_never_legal(void **state) {
  prove_fixture *f = *state;
  read_builtin(f, "chomp");
  const finding *v = found(f, "dead", "exhaustive");
  assert_int_equal(v->kind, VERDICT_REFUTED);
  assert_string_equal(v->reason, "never legal: second (bite 7 4)");
}

/* A latch that nothing reads goes on changing while the rest comes round. */
static void a_cycle_is_one_of_the_whole_state(void **state) {
  prove_fixture *f = *state;
  read_game(f, "(role r) (init (a 1)) (init (c 0)) (legal r go) (<= terminal (true (a 9)))\n"
               "(next-of 0 1) (next-of 1 2) (next-of 2 0) (<= (next (a 1)) (true (a 1)))\n"
               "(<= (next (c ?y)) (true (c ?x)) (next-of ?x ?y)) (<= (goal r 0) (true (a 1)))\n"
               "(<= (next (a 9)) (true (a 8))) (<= (next (a 8)) (true (a 9)))");
  const finding *v = found(f, "terminates", "exhaustive");
  assert_int_equal(v->kind, VERDICT_REFUTED);
  assert_int_equal(v->length - v->returns_to, 3);
}

/* 100 and 0100 are two terms and one number, and either wins. */
static void a_win_may_be_written_in_two_ways(void **state) {
  prove_fixture *f = *state;
  static const char *const ends[] = {"a", "b", "a"};
  for (size_t i = 0; i < 2; i++) {
    text words = text_new(f->keep);
    text_add_format(
        &words,
        "(role r) (init a) (legal r go) (legal r stay)\n"
        "(<= (next b) (true a) (does r go)) (<= (next a) (true a) (does r stay))\n"
        "(<= terminal (true b)) (<= (goal r 100) (true %s)) (<= (goal r 0100) (true %s))",
        ends[i], ends[i + 1]);
    read_game(f, text_string(&words));
    assert_verdict(f, "winnable r", "exhaustive", "proved");
    assert_verdict(f, "winnable r", "pdr", "proved");
  }
}

static void a_game_needs_a_role(void **state) {
  prove_fixture *f = *state;
  prove_job j;
  read_game(f, "(<= (role ?x) (player ?x)) (init a) (<= (next a) (true a)) (<= terminal (true b))\n"
               "(<= (player ?x) (nobody ?x)) (<= (nobody ?x) (player ?x))");
  assert_false(job_open(&j, &f->p, (prove_options){.threads = 1}, &f->b, &f->d));
  assert_int_equal(f->d.all.items[f->d.all.count - 1].kind, DIAG_E601);
  job_close(&j);
}

/* ---- methods among each other ---- */

static bool contradict(verdict_kind a, verdict_kind b) {
  return a != VERDICT_UNKNOWN && b != VERDICT_UNKNOWN && a != b;
}

static void assert_agreement(prove_fixture *f, const char *game) {
  static const char *const methods[] = {"probe", "induction", "termination", "pdr", "bmc"};
  read_builtin(f, game);
  ask(f, "all");
  run(f, "exhaustive", 30);
  const uint32_t count = f->j.properties.count;
  verdict_kind *truth = arena_new_array(f->keep, verdict_kind, count);
  for (uint32_t i = 0; i < count; i++) truth[i] = f->j.findings[i].kind;
  for (size_t m = 0; m < sizeof methods / sizeof *methods; m++) {
    ask(f, "all");
    run(f, methods[m], 0.3);
    for (uint32_t i = 0; i < count; i++)
      if (contradict(truth[i], f->j.findings[i].kind))
        fail_msg("%s: %s: %s says %s", game, f->j.properties.items[i].name, methods[m],
                 verdict_name(f->j.findings[i].kind));
  }
}

static void no_method_contradicts_the_walk(void **state) {
  static const char *const games[] = {"tic-tac-toe",
                                      "nim",
                                      "chomp",
                                      "maze",
                                      "kuhn-poker",
                                      "monty-hall",

                                      "river-crossing",
                                      "rock-paper-scissors",
                                      "unsound/never-wins"};
  for (size_t i = 0; i < sizeof games / sizeof *games; i++) assert_agreement(*state, games[i]);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      a_test(finds_the_line_in_a_million_that_leaves_a_role_stuck),
      a_test(finds_a_cycle),
      a_test(finds_a_terminal_state_without_goal),
      a_test(finds_that_a_role_never_wins),
      a_test(simultaneous_tic_tac_toe_is_playable_and_need_not_end),
      a_test(proves_that_boards_fill_up),
      a_test(names_moves_that_are_never_legal),
      a_test(a_cycle_is_one_of_the_whole_state),
      a_test(a_win_may_be_written_in_two_ways),
      a_test(a_game_needs_a_role),
      a_test(no_method_contradicts_the_walk),
  };
  return cmocka_run_group_tests_name("prove/prove", tests, NULL, NULL);
}
