/* Step counters that are read off the circuit. */
#include "prove/step_clock.h"

#include "prove/prove_fixture.h"

#define COUNTER \
  "(role r) (init (step 0)) (succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (init (on a))\n" \
  "(<= (next (step ?y)) (true (step ?x)) (succ ?x ?y))\n" \
  "(legal r push) (legal r rest) (<= (next (on a)) (true (on b))) (<= (next (on b)) (true (on a)))\n" \
  "(<= (next done) (does r push)) (<= (next done) (true done))\n"

static uint32_t last_step(prove_fixture *f, const char *rules) {
  text words = text_new(f->keep);
  text_add_format(&words, COUNTER "%s", rules);
  read_game(f, text_string(&words));
  ask(f, "winnable r");
  return f->j.last_steps[f->j.targets[0]];
}

static void a_goal_that_reads_the_counter_has_a_last_step(void **state) {
  prove_fixture *f = *state;
  assert_int_equal(
      last_step(f, "(<= (goal r 100) (true (step 2)) (true done)) (<= terminal (true done))"), 2);
  assert_int_equal(f->j.clock.latches.count, 3);
  assert_int_equal(f->j.clock.silent, 2);
}

static void an_end_that_is_sure_is_the_last_step(void **state) {
  prove_fixture *f = *state;
  assert_int_equal(last_step(f, "(<= (goal r 100) (true done)) (<= terminal (true (step 3)))"), 3);
  assert_int_equal(f->j.clock.silent, 3);
}

static void an_end_that_is_not_sure_is_none(void **state) {
  prove_fixture *f = *state;
  assert_int_equal(last_step(f, "(<= (goal r 100) (true done))"
                                "(<= terminal (true (step 3)) (true done))"
                                "(<= terminal (true (on b)) (true done))"),
                   ID_NONE);
}

static void a_counter_that_may_stand_still_is_none(void **state) {
  prove_fixture *f = *state;
  read_game(f, "(role r) (init (step 0)) (succ 0 1) (succ 1 2) (legal r push) (legal r rest)\n"
               "(<= (next (step ?y)) (true (step ?x)) (succ ?x ?y) (does r push))\n"
               "(<= (next (step ?x)) (true (step ?x)) (does r rest))\n"
               "(<= terminal (true (step 2))) (<= (goal r 100) (true (step 2)))");
  ask(f, "winnable r");
  assert_int_equal(f->j.last_steps[f->j.targets[0]], ID_NONE);
}

/* Thirty switches have more states than can be looked at. */
static void a_walk_goes_no_further_than_it_matters(void **state) {
  prove_fixture *f = *state;
  text words = text_new(f->keep);
  text_add(&words, "(role r) (init (step 0)) (succ 0 1) (succ 1 2) (succ 2 3)\n"
                   "(<= (next (step ?y)) (true (step ?x)) (succ ?x ?y))\n"
                   "(<= (legal r (flip ?s)) (switch ?s)) (<= (next (on ?s)) (does r (flip ?s)))\n"
                   "(<= (next (on ?s)) (true (on ?s))) (<= off (switch ?s) (not (true (on ?s))))\n"
                   "(<= terminal (not off)) (<= terminal (true (step 2)) (true (on 1)))\n"
                   "(<= (goal r 100) (true (step 2)) (true (on 1)) (true (on 2)) (true (on 3)))\n");
  for (uint32_t i = 0; i < 30; i++) text_add_format(&words, "(switch %u)", (unsigned)i);
  read_game(f, text_string(&words));
  assert_verdict(f, "winnable r", "exhaustive", "refuted");
  assert_true(f->j.findings[0].states < 10 * 1000);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      a_test(a_goal_that_reads_the_counter_has_a_last_step),
      a_test(an_end_that_is_sure_is_the_last_step),
      a_test(an_end_that_is_not_sure_is_none),
      a_test(a_counter_that_may_stand_still_is_none),
      a_test(a_walk_goes_no_further_than_it_matters),
  };
  return cmocka_run_group_tests_name("prove/step_clock", tests, NULL, NULL);
}
