/* Counting arguments: what holds because a sum never changes. */
#include "prove/prove_fixture.h"

/* Pieces are put on squares until none is left: a square is free as long as there are no more
   pieces than squares. */
#define PIECES_GAME(pieces) \
  "(role r) (init (left " pieces ")) (square 1) (square 2) (square 3) (square 4) (square 5)\n" \
  "(succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (succ 5 6) (succ 6 7)\n" \
  "(init (cell 1 b)) (init (cell 2 b)) (init (cell 3 b)) (init (cell 4 b)) (init (cell 5 b))\n" \
  "(<= (legal r (put ?x ?c)) (true (cell ?x b)) (colour ?c)) (colour x) (colour o)\n" \
  "(<= (next (cell ?x ?c)) (does r (put ?x ?c)))\n" \
  "(<= (next (cell ?x ?c)) (true (cell ?x ?c)) (not (put_on ?x)))\n" \
  "(<= (put_on ?x) (does r (put ?x ?c)))\n" \
  "(<= (next (left ?n)) (true (left ?m)) (succ ?n ?m))\n" \
  "(<= terminal (true (left 0))) (goal r 50)\n"

static void pieces_that_are_left_find_squares_that_are_free(void **state) {
  prove_fixture *f = *state;
  read_game(f, PIECES_GAME("4"));
  assert_verdict(f, "playable", "exhaustive", "proved");
  assert_verdict(f, "playable", "balance", "proved");
  assert_string_equal(f->j.findings[0].method, "balance");
}

static void too_many_pieces_stay_open(void **state) {
  prove_fixture *f = *state;
  read_game(f, PIECES_GAME("7"));
  assert_verdict(f, "playable", "exhaustive", "refuted");
  assert_verdict(f, "playable", "balance", "unknown");
}

/* Two players put stones in turns, and neither is asked whether it has one left: that one of them
   has none at its turn is excluded by a sum of turn and stones, and that a square is free by a sum
   of squares and stones that needs the first. */
#define STONES_GAME(stones) \
  "(role x) (role o) (init (left x " stones ")) (init (left o " stones ")) (init (control x))\n" \
  "(square 1) (square 2) (square 3) (square 4) (square 5) (succ 0 1) (succ 1 2) (succ 2 3)\n" \
  "(<= (init (cell ?x b)) (square ?x))\n" \
  "(<= (legal ?p (put ?x)) (true (control ?p)) (true (cell ?x b)))\n" \
  "(<= (legal x noop) (true (control o))) (<= (legal o noop) (true (control x)))\n" \
  "(<= (next (cell ?x ?p)) (does ?p (put ?x)))\n" \
  "(<= (next (cell ?x ?p)) (true (cell ?x ?p)) (distinct ?p b))\n" \
  "(<= (next (cell ?x b)) (true (cell ?x b)) (does ?p (put ?y)) (distinct ?x ?y))\n" \
  "(<= (next (left ?p ?n)) (true (left ?p ?n)) (true (control ?q)) (role ?p) (distinct ?p ?q))\n" \
  "(<= (next (left ?p ?n)) (true (left ?p ?m)) (true (control ?p)) (succ ?n ?m))\n" \
  "(<= (next (control x)) (true (control o))) (<= (next (control o)) (true (control x)))\n" \
  "(<= open (true (left ?p ?n)) (distinct ?n 0)) (<= terminal (not open))\n" \
  "(goal x 50) (goal o 50)\n"

static void sums_follow_from_sums(void **state) {
  prove_fixture *f = *state;
  read_game(f, STONES_GAME("2"));
  assert_verdict(f, "playable", "exhaustive", "proved");
  assert_verdict(f, "playable", "balance", "proved");
  assert_string_equal(f->j.findings[0].method, "balance");
}

static void stones_without_squares_stay_open(void **state) {
  prove_fixture *f = *state;
  read_game(f, STONES_GAME("3"));
  assert_verdict(f, "playable", "exhaustive", "refuted");
  assert_verdict(f, "playable", "balance", "unknown");
}

/* Whatever it proves, a walk confirms. */
static void nothing_is_proved_that_is_not_so(void **state) {
  static const char *const games[] = {"nim",  "chomp", "tic-tac-toe", "maze",       "sudoku-4",
                                      "tron", "hex-5", "kuhn-poker",  "lights-out", "eight-queens"};
  for (size_t i = 0; i < sizeof games / sizeof *games; i++) {
    prove_fixture *f = *state;
    read_builtin(f, games[i]);
    const verdict_kind said = found(f, "playable", "balance")->kind;
    ask(f, "playable");
    run(f, "exhaustive", 1);
    const verdict_kind truth = f->j.findings[0].kind;
    assert_true(said == VERDICT_UNKNOWN || truth == VERDICT_UNKNOWN || said == truth);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      a_test(pieces_that_are_left_find_squares_that_are_free),
      a_test(too_many_pieces_stay_open),
      a_test(sums_follow_from_sums),
      a_test(stones_without_squares_stay_open),
      a_test(nothing_is_proved_that_is_not_so),
  };
  return cmocka_run_group_tests_name("prove/symbolic/balance", tests, NULL, NULL);
}
