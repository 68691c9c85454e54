/* A walk without the step counter: the verdicts of a walk of all states, where it has any. */
#include "prove/methods.h"
#include "prove/prove_fixture.h"
#include "solve/random_parts_fixture.h"

enum { RANDOM_GAMES = 150 };

/* A token is moved on a line of nine squares, from the first on, or stays.  Play ends at a step, or
   on the square `goal`; `rules` say more. */
#define LINE_GAME(goal, end, rules) \
  "(role r) (init (at 1)) (init (step 0))\n" \
  "(succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (succ 5 6) (succ 6 7) (succ 7 8)\n" \
  "(succ 8 9) (legal r stay) (<= (legal r right) (true (at ?x)) (succ ?x ?y))\n" \
  "(<= (legal r left) (true (at ?y)) (succ ?x ?y) (distinct ?x 0))\n" \
  "(<= (next (at ?x)) (true (at ?x)) (does r stay))\n" \
  "(<= (next (at ?y)) (true (at ?x)) (succ ?x ?y) (does r right))\n" \
  "(<= (next (at ?x)) (true (at ?y)) (succ ?x ?y) (does r left))\n" \
  "(<= (next (step ?y)) (true (step ?x)) (succ ?x ?y))\n" \
  "(<= terminal (true (step " end "))) (<= terminal (true (at " goal ")))\n" \
  "(<= (goal r 100) (true (at " goal "))) (<= (goal r 0) (not (true (at " goal ")))) " rules

static const finding *by_clockless(prove_fixture *f, const char *words) {
  ask(f, words);
  prove_without_clock(&f->j, &f->b);
  return &f->j.findings[0];
}

static void assert_clockless(prove_fixture *f, const char *words, verdict_kind kind) {
  assert_int_equal(by_clockless(f, words)->kind, kind);
  ask(f, words);
  run(f, "exhaustive", AMPLE_SECONDS);
  if (kind != VERDICT_UNKNOWN) assert_int_equal(f->j.findings[0].kind, kind);
}

static void a_win_at_the_last_step_is_one(void **state) {
  prove_fixture *f = *state;
  read_game(f, LINE_GAME("6", "5", ""));
  assert_clockless(f, "winnable r", VERDICT_PROVED);
  read_game(f, LINE_GAME("6", "6", ""));
  assert_clockless(f, "winnable r", VERDICT_PROVED);
  assert_int_equal(by_clockless(f, "winnable r")->length, 5);
}

static void a_win_one_step_too_late_is_none(void **state) {
  prove_fixture *f = *state;
  read_game(f, LINE_GAME("6", "4", ""));
  assert_clockless(f, "winnable r", VERDICT_REFUTED);
  assert_true(f->j.findings[0].states > by_clockless(f, "winnable r")->states);
}

/* What the counter allows at its last step alone is found where a state first comes then ... */
static void what_needs_the_last_step_is_found(void **state) {
  prove_fixture *f = *state;
  read_game(f, LINE_GAME("9", "4", "(<= (goal r 100) (true (step 4)) (true (at 5)))"));
  assert_clockless(f, "winnable r", VERDICT_PROVED);
}

/* ... and is left open where it came before: whether it can come again is not looked at. */
static void what_may_come_again_stays_open(void **state) {
  prove_fixture *f = *state;
  read_game(f, LINE_GAME("9", "4", "(<= (goal r 100) (true (step 4)) (true (at 3)))"));
  assert_clockless(f, "winnable r", VERDICT_UNKNOWN);
  assert_int_equal(f->j.findings[0].kind, VERDICT_PROVED);
}

static void who_can_be_stuck_in_time_is_found(void **state) {
  prove_fixture *f = *state;
  static const char *const game =
      "(role r) (init (at 1)) (init (step 0)) (succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4)\n"
      "(<= (legal r go) (true (at ?x)) (succ ?x ?y)) (<= (legal r wait) (true (at 1)))\n"
      "(<= (next (at ?y)) (does r go) (true (at ?x)) (succ ?x ?y))\n"
      "(<= (next (at ?x)) (does r wait) (true (at ?x)))\n"
      "(<= (next (step ?y)) (true (step ?x)) (succ ?x ?y)) (goal r 50)\n";
  text soon = text_new(f->keep), late = text_new(f->keep);
  text_add_format(&soon, "%s(<= terminal (true (step 3)))", game);
  text_add_format(&late, "%s(<= terminal (true (step 4)))", game);
  read_game(f, text_string(&soon));
  assert_clockless(f, "playable", VERDICT_PROVED);
  read_game(f, text_string(&late));
  assert_clockless(f, "playable", VERDICT_REFUTED);
  assert_int_equal(by_clockless(f, "playable")->length, 3);
}

static void a_counter_that_moves_read_is_not_left_out(void **state) {
  prove_fixture *f = *state;
  read_game(f, LINE_GAME("6", "5",
                         "(<= (legal r leap) (true (step 0)))"
                         "(<= (next (at 6)) (does r leap))"));
  assert_clockless(f, "winnable r", VERDICT_UNKNOWN);
  assert_int_equal(f->j.findings[0].kind, VERDICT_PROVED);
}

/* Returns how many properties were settled. */
static uint32_t compare(prove_fixture *f, const char *words) {
  static const char asked[] = "playable, goals, winnable, unreachable (at 0 3)";
  finding found[16];
  uint32_t settled = 0;
  read_game(f, words);
  by_clockless(f, asked);
  const uint32_t count = f->j.properties.count;
  assert_in_range(count, 4, 16);
  memcpy(found, f->j.findings, count * sizeof *found);
  ask(f, asked);
  run(f, "exhaustive", AMPLE_SECONDS);
  for (uint32_t i = 0; i < count; i++) {
    if (found[i].kind == VERDICT_UNKNOWN) continue;
    assert_int_equal(found[i].kind, f->j.findings[i].kind);
    assert_int_equal(found[i].length, f->j.findings[i].length);
    settled++;
  }
  return settled;
}

static void it_agrees_with_walks_of_random_games(void **state) {
  prove_fixture *f = *state;
  uint32_t settled = 0;
  rng r = rng_new(1, 0);
  for (uint32_t i = 0; i < RANDOM_GAMES; i++) {
    const game_kind k = {
        .parts = 1 + rng_below(&r, 2), .has_clock = true, .may_go_wrong = i % 2 == 0};
    text words = random_parts(f->keep, &r, &k);
    settled += compare(f, text_string(&words));
  }
  assert_true(settled > RANDOM_GAMES);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      a_test(a_win_at_the_last_step_is_one),
      a_test(a_win_one_step_too_late_is_none),
      a_test(what_needs_the_last_step_is_found),
      a_test(what_may_come_again_stays_open),
      a_test(who_can_be_stuck_in_time_is_found),
      a_test(a_counter_that_moves_read_is_not_left_out),
      a_test(it_agrees_with_walks_of_random_games),
  };
  return cmocka_run_group_tests_name("prove/explicit/clockless", tests, NULL, NULL);
}
