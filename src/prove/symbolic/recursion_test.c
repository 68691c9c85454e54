/* Questions about the least fixpoint (induct/founded.h), against all states. */
#include "base/rng.h"
#include "prove/prove_fixture.h"

/* The first capture ends the game: on a board that is full no group has a liberty. */
#define CAPTURE_GAME(ends) \
  "(role black) (role white) (init (control black)) (other black white) (other white black)\n" \
  "(cell 1) (cell 2) (cell 3) (cell 4) (cell 5)\n" \
  "(near 1 2) (near 2 1) (near 2 3) (near 3 2) (near 3 4) (near 4 3) (near 4 1) (near 1 4)\n" \
  "(near 5 1) (near 1 5)\n" \
  "(<= (empty ?x) (cell ?x) (not (true (stone ?x black))) (not (true (stone ?x white))))\n" \
  "(<= (legal ?p noop) (role ?p) (not (true (control ?p))))\n" \
  "(<= (legal ?p (put ?x)) (true (control ?p)) (empty ?x))\n" \
  "(<= (next (stone ?x ?p)) (does ?p (put ?x)))\n" \
  "(<= (next (stone ?x ?p)) (true (stone ?x ?p)))\n" \
  "(<= (next (control ?q)) (true (control ?p)) (other ?p ?q))\n" \
  "(<= (alive ?x ?p) (true (stone ?x ?p)) (near ?x ?y) (empty ?y))\n" \
  "(<= (alive ?x ?p) (true (stone ?x ?p)) (near ?x ?y) (alive ?y ?p))\n" \
  "(<= dead-stone (true (stone ?x ?p)) (not (alive ?x ?p)))\n" \
  "(<= terminal " ends ") (goal black 50) (goal white 50)\n"

static void a_full_board_has_no_liberties(void **state) {
  prove_fixture *f = *state;
  read_game(f, CAPTURE_GAME("dead-stone"));
  assert_verdict(f, "playable", "exhaustive", "proved");
  assert_verdict(f, "playable", "induction", "proved");
}

static void a_board_that_fills_before_the_end_stays_open(void **state) {
  prove_fixture *f = *state;
  read_game(f, CAPTURE_GAME("dead-stone (true (stone 5 white))"));
  assert_verdict(f, "playable", "exhaustive", "refuted");
  assert_verdict(f, "playable", "induction", "unknown");
}

/* Lamps are switched one by one; what is lit from the source by lamps that are on is a fixpoint. */
enum { NODES = 5, GAMES = 60 };

static const char *random_graph_game(arena *keep, rng *r) {
  text t = text_new(keep);
  text_add(&t, "(role r) (init (on 0))\n");
  for (int i = 0; i < NODES; i++) {
    text_add_format(&t, "(lamp %d)", i);
    for (int k = 0; k < NODES; k++)
      if (rng_below(r, 5) < 2) text_add_format(&t, "(edge %d %d)", i, k);
  }
  text_add(&t,
           "(<= (legal r (switch ?x)) (lamp ?x))\n"
           "(<= (next (on ?x)) (does r (switch ?x)) (not (true (on ?x))))\n"
           "(<= (next (on ?x)) (true (on ?x)) (does r (switch ?y)) (distinct ?x ?y))\n"
           "(<= (lit ?y) (true (on ?x)) (source ?x) (edge ?x ?y))\n"
           "(<= (lit ?y) (lit ?x) (edge ?x ?y) (true (on ?y)))\n"
           "(<= (lit ?y) (lit ?x) (lit ?z) (edge ?y ?x) (edge ?y ?z) (distinct ?x ?z))\n"
           "(source 0) (edge 0 1) (<= terminal (lit 2)) (<= (dark ?x) (lamp ?x) (not (lit ?x)))\n"
           "(goal r 50)\n");
  return text_string(&t);
}

/* Induction may leave open what it pleases, but is never wrong. */
static void nothing_is_proved_that_is_not_so(void **state) {
  prove_fixture *f = *state;
  rng r = rng_new(1, 0);
  uint32_t proved = 0;
  static const char *const asked[] = {"unreachable (lit 4)", "unreachable (and (lit 3) (dark 1))",
                                      "unreachable (and (lit 2) (lit 3))"};
  for (uint32_t i = 0; i < GAMES; i++) {
    read_game(f, random_graph_game(f->keep, &r));
    for (size_t k = 0; k < sizeof asked / sizeof *asked; k++) {
      const verdict_kind said = found(f, asked[k], "induction")->kind;
      if (said == VERDICT_UNKNOWN) continue;
      assert_int_equal(found(f, asked[k], "exhaustive")->kind, said);
      proved += said == VERDICT_PROVED;
    }
  }
  assert_true(proved > 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      a_test(a_full_board_has_no_liberties),
      a_test(a_board_that_fills_before_the_end_stays_open),
      a_test(nothing_is_proved_that_is_not_so),
  };
  return cmocka_run_group_tests_name("prove/symbolic/recursion", tests, NULL, NULL);
}
