/* All passes on random games and on games of the kinds that they treat differently. */
#include "circuit/circuit_fixture.h"
#include "circuit/circuit_sound.h"

static void random_games(uint64_t first, uint64_t count, ground_options how) {
  for (uint64_t seed = first; seed < first + count; seed++) {
    void *state;
    set_up(&state);
    rules_fixture *f = state;
    rng r = rng_new(31, seed);
    const char *words = random_game_text(&r, f->keep);
    print_message("random game %u\n", (unsigned)seed);
    assert_all_play(f, staged(f, words, how));
    tear_down(&state);
  }
}

static void every_pass_keeps_optimised_random_games(void **state) {
  (void)state;
  random_games(0, 150, optimised);
}

static void every_pass_keeps_plain_random_games(void **state) {
  (void)state;
  random_games(150, 60, plain);
}

static void building_runs_all_passes(void **state) {
  rules_fixture *f = *state;
  rng r = rng_new(31, 7);
  const circuit_stages *s = staged(f, random_game_text(&r, f->keep), optimised);
  circuit c;
  assert_true(circuit_build(&c, &s->g, f->keep, NULL, &f->d));
  assert_int_equal(c.pass_count, 3);
  assert_string_equal(c.counts[2].pass, "pairs shared");
  assert_int_equal(c.counts[2].gates, count_gates(&s->shared, GATE_AND));
  assert_int_equal(c.counts[2].inputs, count_inputs(&s->shared, f->keep));
  assert_int_equal(c.counts[2].sets, 0);
  assert_plays(f, s, &c, "built");
}

/* The comparison itself can fail: each output, negated, is noticed. */
static void a_wrong_circuit_is_noticed(void **state) {
  rules_fixture *f = *state;
  circuit_stages *s =
      staged(f,
             "(role r) (legal r a) (legal r b) (init p) (<= (next p) (does r a))\n"
             "(<= (next q) (true p)) (<= (goal r 1) (true p)) (<= terminal (true q))\n"
             "(<= (sees r x) (does r b))",
             optimised);
  circuit *c = &s->shared;
  wire *const outputs[] = {&c->moves.items[1].legal, &c->latches.items[1].next,
                           &c->goals.items[0].holds, &c->terminal, &c->percepts.items[0].holds};
  for (size_t i = 0; i < sizeof outputs / sizeof *outputs; i++) {
    *outputs[i] = wire_not(*outputs[i]);
    assert_non_null(circuit_differs(&s->g, c, 8, rng_new(5, 0), f->keep));
    *outputs[i] = wire_not(*outputs[i]);
  }
  assert_plays(f, s, c, "as it was");
}

static void gates_and_parts_are_in_order(void **state) {
  (void)state;
  for (uint64_t seed = 0; seed < 40; seed++) {
    void *own;
    set_up(&own);
    rules_fixture *f = own;
    rng r = rng_new(32, seed);
    const circuit_stages *s = staged(f, random_game_text(&r, f->keep), optimised);
    assert_true(circuit_is_sound(&s->rules));
    assert_true(circuit_is_sound(&s->shared));
    tear_down(&own);
  }
}

static void a_spent_budget_is_told(void **state) {
  rules_fixture *f = *state;
  const ground_program g =
      grounded(f, "(role r) (legal r a) (init p) (<= (next p) (true p))", plain);
  budget b = budget_new(0, 0);
  b.end = BUDGET_TIME;
  b.countdown = 1000;
  circuit c;
  assert_false(circuit_build(&c, &g, f->keep, &b, &f->d));
  assert_true(f->d.errors > 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      rules_test(every_pass_keeps_optimised_random_games),
      rules_test(every_pass_keeps_plain_random_games),
      rules_test(building_runs_all_passes),
      rules_test(a_wrong_circuit_is_noticed),
      rules_test(gates_and_parts_are_in_order),
      rules_test(a_spent_budget_is_told),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
