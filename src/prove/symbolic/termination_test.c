#include "prove/prove_fixture.h"
#include "prove/symbolic/ranking.h"

static play_length length_of(prove_fixture *f, const char *game, const char *method) {
  read_builtin(f, game);
  const finding *v = found(f, "terminates", method);
  assert_int_equal(v->kind, VERDICT_PROVED);
  assert_true(v->plays.is_known);
  return v->plays;
}

/* ---- bounds ---- */

/* A cell that is marked in one of two ways falls once, and each step marks one. */
static void a_board_that_fills_bounds_its_plays(void **state) {
  assert_int_equal(length_of(*state, "tic-tac-toe", "termination").at_most, 9);
  assert_int_equal(length_of(*state, "connect-four", "termination").at_most, 42);
}

static void a_play_of_that_length_makes_it_exact(void **state) {
  const play_length l = length_of(*state, "connect-four", "termination");
  assert_true(play_length_is_exact(&l));
}

/* The counter stops at 7, but the stack is used up before. */
static const char stack[] =
    "(role r) (init (step 0)) (init (left 3)) (less 3 2) (less 2 1) (less 1 0)\n"
    "(after 0 1) (after 1 2) (after 2 3) (after 3 4) (after 4 5) (after 5 6) (after 6 7)\n"
    "(<= (legal r take) (true (left ?n)) (less ?n ?m))\n"
    "(<= (next (left ?m)) (true (left ?n)) (less ?n ?m))\n"
    "(<= (next (step ?m)) (true (step ?n)) (after ?n ?m))\n"
    "(<= terminal (true (left 0))) (<= terminal (true (step 7)))\n"
    "(<= (goal r 100) (true (left 0))) (<= (goal r 0) (not (true (left 0))))";

static void what_is_too_long_for_any_play_is_excluded(void **state) {
  prove_fixture *f = *state;
  read_game(f, stack);
  const finding *v = found(f, "terminates", "termination");
  assert_int_equal(v->kind, VERDICT_PROVED);
  assert_int_equal(v->plays.at_most, 3);
  assert_int_equal(v->plays.seen, 3);
}

static void no_bound_is_below_the_longest_play(void **state) {
  static const char *const games[] = {
      "nim",        "chomp", "tic-tac-toe",         "sudoku-4", "kuhn-poker",  "monty-hall",
      "lights-out", "maze",  "rock-paper-scissors", "hex-5",    "eight-queens"};
  for (size_t i = 0; i < sizeof games / sizeof *games; i++) {
    prove_fixture *f = *state;
    read_builtin(f, games[i]);
    ask(f, "terminates");
    run(f, "exhaustive", 1);
    const play_length truth = f->j.findings[0].plays;
    if (!truth.is_known) continue; /* a walk that takes longer is not waited for */
    const play_length said = length_of(f, games[i], "termination");
    assert_true(said.at_most >= truth.at_most && said.seen <= truth.at_most);
  }
}

/* ---- counters ---- */

/* The play ends at 3; what would come after 5 is nothing, from which anything could follow. */
static void a_counter_may_have_values_that_it_never_comes_to(void **state) {
  prove_fixture *f = *state;
  read_game(
      f, "(role r) (init (step 0)) (init on) (after 0 1) (after 1 2) (after 2 3) (after 3 4)\n"
         "(after 4 5) (legal r stay) (legal r switch)\n"
         "(<= (next (step ?m)) (true (step ?n)) (after ?n ?m))\n"
         "(<= (next on) (true on) (does r stay)) (<= (next on) (not (true on)) (does r switch))\n"
         "(<= terminal (true (step 3)))\n"
         "(<= (goal r 100) (true on)) (<= (goal r 0) (not (true on)))");
  ask(f, "terminates,winnable");
  run(f, "induction",
      AMPLE_SECONDS); /* which looks for counters on its way, and for nothing else */
  assert_int_equal(f->j.findings[0].kind, VERDICT_PROVED);
  assert_int_equal(f->j.findings[0].plays.at_most, 3);
}

/* Coins go round on four places, and one may be taken away, or `other` be done.  Play ends after
   twelve steps without that. */
#define COINS_GAME(other) \
  "(role r) (init (coin 1)) (init (coin 2)) (init (idle 0)) (next_to 1 2) (next_to 2 3)\n" \
  "(next_to 3 4) (next_to 4 1) (succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5)\n" \
  "(succ 5 6) (succ 6 7) (succ 7 8) (succ 8 9) (succ 9 10) (succ 10 11) (succ 11 12)\n" \
  "(<= (legal r (shift ?x)) (true (coin ?x)) (next_to ?x ?y) (not (true (coin ?y))))\n" \
  "(<= (legal r (take ?x)) (true (coin ?x))) (legal r wait)\n" \
  "(<= (next (coin ?y)) (does r (shift ?x)) (next_to ?x ?y))\n" \
  "(<= (next (coin ?x)) (true (coin ?x)) (not (gone ?x)))\n" \
  "(<= (gone ?x) (does r (shift ?x))) (<= (gone ?x) (does r (take ?x)))\n" \
  "(<= taken (does r (take ?x))) (<= (next (idle 0)) taken)\n" \
  "(<= (next (idle ?n)) (true (idle ?m)) (succ ?m ?n) (not taken))\n" \
  "(<= terminal (true (idle 12))) (goal r 100)" other

static void a_counter_is_set_back_by_progress_alone(void **state) {
  prove_fixture *f = *state;
  read_game(f, COINS_GAME(""));
  assert_verdict(f, "terminates", "exhaustive", "proved");
  const uint64_t longest = f->j.findings[0].plays.at_most;
  assert_verdict(f, "terminates", "termination", "proved");
  assert_int_equal(f->j.findings[0].plays.at_most, longest);
  read_game(f, COINS_GAME("(<= (legal r put) (true (idle 3))) (<= (next (coin 1)) (does r put))\n"
                          "(<= taken (does r put))"));
  assert_verdict(f, "terminates", "exhaustive", "refuted");
  assert_verdict(f, "terminates", "termination", "unknown");
}

/* ---- sums ---- */

/* Two fluents that weigh 3 and 5. */
static void a_sum_falls_from_what_it_is_at_the_start(void **state) {
  prove_fixture *f = *state;
  read_builtin(f, "tic-tac-toe");
  ask(f, "terminates");
  const circuit *c = &f->j.full;
  measure_list l = {.keep = f->keep};
  fact_set facts = {.keep = f->keep};
  uint32_t pair[2] = {0, 1};
  for (uint32_t i = 0; i < 2; i++) pair[i] = c->latches.items[i].fluent << 1;
  measure_begin(&l, 0, 0);
  measure_add(&l, pair[0], 3);
  measure_add(&l, pair[1], 5);
  const int64_t start = (wire_starts_true(c, c->fluents.items[pair[0] >> 1].now) ? 3 : 0) +
                        (wire_starts_true(c, c->fluents.items[pair[1] >> 1].now) ? 5 : 0);
  measure_narrow(&l, &facts, c, true);
  assert_int_equal(l.all.items[0].range, start);
  measure_narrow(&l, &facts, c, false);
  assert_int_equal(l.all.items[0].range, 8);
  fact_add(&facts, FACT_AT_MOST_ONE, pair, 2);
  measure_narrow(&l, &facts, c, false);
  assert_int_equal(l.all.items[0].range, 5);
  facts = (fact_set){.keep = f->keep};
  fact_add(&facts, FACT_EXACTLY_ONE, pair, 2);
  measure_narrow(&l, &facts, c, false);
  assert_int_equal(l.all.items[0].range, 2);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      a_test(a_board_that_fills_bounds_its_plays),
      a_test(a_play_of_that_length_makes_it_exact),
      a_test(what_is_too_long_for_any_play_is_excluded),
      a_test(no_bound_is_below_the_longest_play),
      a_test(a_counter_may_have_values_that_it_never_comes_to),
      a_test(a_counter_is_set_back_by_progress_alone),
      a_test(a_sum_falls_from_what_it_is_at_the_start),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
