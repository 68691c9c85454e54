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

/* A collector walks on a ring of ten squares and picks up what lies there; `count` of them would be
   a win.  Random play is over long before most are picked up. */
#define COLLECTOR_GAME(count) \
  "(role r) (init (at 0)) (init (bag 0)) (init (step 0)) (<= (init (coin ?x)) (place ?x))\n" \
  "(place 2) (place 3) (place 4) (place 5) (place 6) (place 7) (place 8)\n" \
  "(succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (succ 5 6) (succ 6 7) (succ 7 8)\n" \
  "(succ 8 9) (succ 9 10) (succ 10 11) (succ 11 12) (succ 12 13)\n" \
  "(legal r on) (legal r back)\n" \
  "(<= (to ?y) (true (at ?x)) (does r on) (after ?x ?y))\n" \
  "(<= (to ?x) (true (at ?y)) (does r back) (after ?x ?y))\n" \
  "(after 0 1) (after 1 2) (after 2 3) (after 3 4) (after 4 5) (after 5 6) (after 6 7)\n" \
  "(after 7 8) (after 8 9) (after 9 0) (<= (next (at ?x)) (to ?x))\n" \
  "(<= (next (coin ?x)) (true (coin ?x)) (not (to ?x))) (<= picks (to ?x) (true (coin ?x)))\n" \
  "(<= (next (bag ?y)) (true (bag ?x)) picks (succ ?x ?y))\n" \
  "(<= (next (bag ?x)) (true (bag ?x)) (not picks))\n" \
  "(<= (next (step ?y)) (true (step ?x)) (succ ?x ?y)) (<= terminal (true (step 13)))\n" \
  "(<= (goal r 100) (true (bag " count "))) (<= (goal r 0) (not (true (bag " count "))))\n"

/* There are seven coins: the weights of the values that were not seen are those of a counter. */
static void nobody_collects_more_than_there_is(void **state) {
  prove_fixture *f = *state;
  read_game(f, COLLECTOR_GAME("8"));
  assert_verdict(f, "winnable r", "balance", "refuted");
  assert_verdict(f, "winnable r", "exhaustive", "refuted");
  read_game(f, COLLECTOR_GAME("7"));
  assert_verdict(f, "winnable r", "balance", "unknown");
  assert_verdict(f, "winnable r", "exhaustive", "proved");
}

/* Pegs on four by four holes, all but the second of the first row, jump over one another until one is left.  Every
   jump changes three holes in a row, so the parities of the pegs on each third diagonal change
   together. */
#define PEGS_GAME(last) \
  "(role r) (init (left 15)) (next_to 1 2) (next_to 2 3) (next_to 3 4)\n" \
  "(succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (succ 5 6) (succ 6 7) (succ 7 8)\n" \
  "(succ 8 9) (succ 9 10) (succ 10 11) (succ 11 12) (succ 12 13) (succ 13 14) (succ 14 15)\n" \
  "(at 1) (at 2) (at 3) (at 4) (<= (hole ?x ?y) (at ?x) (at ?y))\n" \
  "(<= (init (peg ?x ?y)) (hole ?x ?y) (distinct ?x 1))\n" \
  "(<= (init (peg 1 ?y)) (at ?y) (distinct ?y 2))\n" \
  "(<= (line ?x ?y ?z) (next_to ?x ?y) (next_to ?y ?z))\n" \
  "(<= (line ?z ?y ?x) (next_to ?x ?y) (next_to ?y ?z))\n" \
  "(<= (jump ?x ?w ?y ?w ?z ?w) (line ?x ?y ?z) (at ?w))\n" \
  "(<= (jump ?w ?x ?w ?y ?w ?z) (line ?x ?y ?z) (at ?w))\n" \
  "(<= (can ?a ?b ?c ?d ?e ?f) (jump ?a ?b ?c ?d ?e ?f)\n" \
  "  (true (peg ?a ?b)) (true (peg ?c ?d)) (not (true (peg ?e ?f))))\n" \
  "(<= (legal r (jump ?a ?b ?c ?d ?e ?f)) (can ?a ?b ?c ?d ?e ?f))\n" \
  "(<= moves (can ?a ?b ?c ?d ?e ?f)) (<= terminal (not moves))\n" \
  "(<= (next (peg ?e ?f)) (does r (jump ?a ?b ?c ?d ?e ?f)))\n" \
  "(<= (goes ?a ?b) (does r (jump ?a ?b ?c ?d ?e ?f)))\n" \
  "(<= (goes ?c ?d) (does r (jump ?a ?b ?c ?d ?e ?f)))\n" \
  "(<= (next (peg ?x ?y)) (true (peg ?x ?y)) (not (goes ?x ?y)))\n" \
  "(<= (next (left ?n)) (true (left ?m)) (succ ?n ?m)) (<= won (true (left 1)) (true (peg " last \
  ")))\n" \
  "(<= (goal r 100) won) (<= (goal r 0) (not won))\n"

static void a_peg_ends_where_its_colour_may(void **state) {
  prove_fixture *f = *state;
  static const char *const games[] = {PEGS_GAME("1 3"), PEGS_GAME("4 3"), PEGS_GAME("1 1"),
                                      PEGS_GAME("1 2"), PEGS_GAME("3 3"), PEGS_GAME("2 3")};
  uint32_t refuted = 0;
  for (size_t i = 0; i < sizeof games / sizeof *games; i++) {
    read_game(f, games[i]);
    const verdict_kind said = found(f, "winnable r", "balance")->kind;
    const verdict_kind truth = found(f, "winnable r", "exhaustive")->kind;
    assert_true(said == VERDICT_UNKNOWN || said == truth);
    refuted += said == VERDICT_REFUTED;
  }
  assert_int_equal(refuted, 4);
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
      a_test(nobody_collects_more_than_there_is),
      a_test(a_peg_ends_where_its_colour_may),
      a_test(nothing_is_proved_that_is_not_so),
  };
  return cmocka_run_group_tests_name("prove/symbolic/balance", tests, NULL, NULL);
}
