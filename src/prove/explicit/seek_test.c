/* Wins that random play does not find and a walk does not reach, found by play towards them. */
#include "prove/prove_fixture.h"

/* A counter that goes up by one or falls to 0, and eight switches: the win is a value of the
   counter with four of them on, within thirty steps. */
#define LOCK_GAME \
  "(role r) (init (at 0)) (init (step 0))\n" \
  "(<= (legal r up) (role r)) (<= (legal r down) (role r)) (<= (legal r (turn ?x)) (bit ?x))\n" \
  "(<= (next (at ?y)) (does r up) (true (at ?x)) (succ ?x ?y))\n" \
  "(<= (next (at 0)) (does r down)) (<= (next (at ?x)) (does r (turn ?y)) (true (at ?x)))\n" \
  "(<= (next (on ?x)) (does r (turn ?x)) (not (true (on ?x))))\n" \
  "(<= (next (on ?x)) (true (on ?x)) (not (does r (turn ?x))))\n" \
  "(<= (next (step ?y)) (true (step ?x)) (succ ?x ?y))\n" \
  "(<= terminal (true (step 30)))\n" \
  "(<= won (true (at 12)) (true (on a)) (true (on b)) (true (on c)) (true (on d)))\n" \
  "(<= terminal won) (<= (goal r 100) won) (<= (goal r 0) (not won))\n" \
  "(bit a) (bit b) (bit c) (bit d) (bit e) (bit f) (bit g) (bit h)\n"

static const char *lock_game(arena *keep) {
  text words = text_new(keep);
  text_add(&words, LOCK_GAME);
  for (int i = 0; i < 30; i++) text_add_format(&words, "(succ %d %d) ", i, i + 1);
  return text_string(&words);
}

static void a_counter_is_driven_to_the_value_that_wins(void **state) {
  prove_fixture *f = *state;
  read_game(f, lock_game(f->keep));
  const finding *v = found(f, "winnable", "seek");
  assert_string_equal(verdict_name(v->kind), "proved");
  assert_true(v->length >= 16 && v->length <= 30);
}

static void what_cannot_be_won_stays_open(void **state) {
  prove_fixture *f = *state;
  read_builtin(f, "tic-tac-toe");
  ask(f, "winnable x");
  run(f, "seek", 5);
  assert_int_equal(f->j.findings[0].kind, VERDICT_PROVED);
  read_game(f, "(role r) (init (p)) (legal r a) (<= (next (q)) (true (p)))\n"
               "(<= terminal (true (q))) (<= (goal r 100) (true (p)) (true (q)))\n"
               "(<= (goal r 0) (not (true (p))))\n");
  ask(f, "winnable");
  run(f, "seek", 0.05);
  assert_int_equal(f->j.findings[0].kind, VERDICT_UNKNOWN);
  assert_int_equal(f->j.findings[0].attempts.count, 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      a_test(a_counter_is_driven_to_the_value_that_wins),
      a_test(what_cannot_be_won_stays_open),
  };
  return cmocka_run_group_tests_name("prove/explicit/seek", tests, NULL, NULL);
}
