#include "prove/symbolic/one_way.h"

#include "induct/induct.h"
#include "prove/prove_fixture.h"

enum { STEPS = 3 };

/* How many steps no play has more than, by fluents that change one way only; 0: they do not tell. */
static uint64_t bound_of(prove_fixture *f) {
  measure_list l = {.keep = f->keep};
  fact_set facts = {.keep = f->keep};
  induct_counts counts = {0};
  ask(f, "terminates");
  induct_find_facts(&facts, &f->j.full, (induct_options){.seed = 1}, &f->b, &counts);
  const one_way_question q = {&f->j.full, &facts, 1};
  one_way_vec found = {0};
  one_way_find(&found, &q, true, f->keep, &f->b);
  one_way_find(&found, &q, false, f->keep, &f->b);
  const uint32_t steps = one_way_measure(&l, &q, &found, 1, STEPS, &f->b);
  assert_int_equal(steps != 0, l.all.count == 1);
  return steps ? (measures_bound(&l) + 1) * steps - 1 : 0;
}

static uint64_t bound_of_builtin(prove_fixture *f, const char *game) {
  read_builtin(f, game);
  return bound_of(f);
}

static void each_step_fills_a_cell(void **state) {
  assert_int_equal(bound_of_builtin(*state, "tic-tac-toe"), 9);
  assert_int_equal(bound_of_builtin(*state, "connect-four"), 42);
  assert_int_equal(bound_of_builtin(*state, "hex-5"), 25);
}

/* A coin is put down in every other step. */
static const char every_other_step[] =
    "(role r) (init (turn put)) (cell 1) (cell 2) (cell 3)\n"
    "(<= (next (turn rest)) (true (turn put))) (<= (next (turn put)) (true (turn rest)))\n"
    "(<= (free ?x) (cell ?x) (not (true (coin ?x))))\n"
    "(<= (legal r (put ?x)) (true (turn put)) (free ?x))\n"
    "(<= (legal r rest) (true (turn rest)))\n"
    "(<= (next (coin ?x)) (true (coin ?x))) (<= (next (coin ?x)) (does r (put ?x)))\n"
    "(<= open (free ?x)) (<= terminal (not open)) (goal r 100)";

static void some_steps_may_change_nothing(void **state) {
  prove_fixture *f = *state;
  read_game(f, every_other_step);
  assert_int_equal(bound_of(f), 7);
}

/* The coin comes back when another is put down. */
static const char coins_that_move[] = "(role r) (init (coin 1)) (cell 1) (cell 2) (cell 3)\n"
                                      "(<= (legal r (put ?x)) (cell ?x) (not (true (coin ?x))))\n"
                                      "(<= (next (coin ?x)) (does r (put ?x)))\n"
                                      "(init (step 0)) (after 0 1) (after 1 2) (after 2 3)\n"
                                      "(<= (next (step ?m)) (true (step ?n)) (after ?n ?m))\n"
                                      "(<= terminal (true (step 3))) (goal r 100)";

static void what_comes_back_is_no_measure(void **state) {
  prove_fixture *f = *state;
  read_game(f, coins_that_move);
  const uint64_t said = bound_of(f); /* of the first and the last step */
  assert_true(said == 0 || said >= 3);
}

static void nothing_is_shown_of_plays_without_end(void **state) {
  prove_fixture *f = *state;
  read_game(f, "(role r) (init (at 1)) (to 1 2) (to 2 1)\n"
               "(<= (legal r (go ?y)) (true (at ?x)) (to ?x ?y))\n"
               "(<= (legal r stop) (true (at 1)))\n"
               "(<= (next (at ?y)) (does r (go ?y)))\n"
               "(<= (next done) (does r stop)) (<= (next (at 1)) (does r stop))\n"
               "(<= terminal (true done)) (goal r 100)");
  assert_int_equal(bound_of(f), 0);
  assert_verdict(f, "terminates", "exhaustive", "refuted");
}

/* Against the truth, where a walk knows it. */
static void no_bound_is_below_the_longest_play(void **state) {
  static const char *const games[] = {"nim",         "chomp",      "sudoku-4",
                                      "kuhn-poker",  "monty-hall", "eight-queens",
                                      "tic-tac-toe", "maze",       "lights-out"};
  for (size_t i = 0; i < sizeof games / sizeof *games; i++) {
    prove_fixture *f = *state;
    const uint64_t said = bound_of_builtin(f, games[i]);
    run(f, "exhaustive", 1);
    const finding *truth = &f->j.findings[0];
    if (said) assert_int_not_equal(truth->kind, VERDICT_REFUTED);
    if (said && truth->plays.is_known) assert_true(said >= truth->plays.at_most);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      a_test(each_step_fills_a_cell),
      a_test(some_steps_may_change_nothing),
      a_test(what_comes_back_is_no_measure),
      a_test(nothing_is_shown_of_plays_without_end),
      a_test(no_bound_is_below_the_longest_play),
  };
  return cmocka_run_group_tests_name("prove/symbolic/one_way", tests, NULL, NULL);
}
