#include "circuit/circuit_fixture.h"

static void random_circuits_keep_their_functions(void **state) {
  rules_fixture *f = *state;
  for (uint64_t seed = 0; seed < 300; seed++) {
    rng r = rng_new(42, seed);
    circuit c, shared;
    random_circuit(&c, 2 + rng_below(&r, 8), 4 + rng_below(&r, 60), &r, f->keep);
    circuit_share_pairs(&shared, &c, f->keep, NULL);
    assert_same_functions(&c, &shared, &r, f->keep);
  }
}

static void begin(circuit *c, gate_maker *m, uint32_t latches, wire *in, arena *keep) {
  gate_maker_init(m, c, NULL, keep, keep);
  for (uint32_t i = 0; i < latches; i++) {
    in[i] = make_input(m, GATE_LATCH, i);
    const circuit_latch latch = {.fluent = i, .gate = wire_gate(in[i])};
    vec_push(keep, &c->latches, latch);
  }
}

static void a_pair_of_several_gates_becomes_a_gate(void **state) {
  rules_fixture *f = *state;
  circuit c, shared;
  gate_maker m;
  rng r = rng_new(1, 0);
  wire in[10];
  begin(&c, &m, 10, in, f->keep);
  for (uint32_t i = 0; i < 8; i++) {
    const wire three[3] = {in[0], wire_not(in[1]), in[2 + i]};
    c.latches.items[i].next = make_and(&m, three, 3);
  }
  circuit_share_pairs(&shared, &c, f->keep, NULL);
  assert_same_functions(&c, &shared, &r, f->keep);
  assert_int_equal(count_gates(&shared, GATE_AND), 9);
  assert_int_equal(count_inputs(&shared, f->keep), 18);
}

static void a_spent_budget_ends_it(void **state) {
  rules_fixture *f = *state;
  circuit c, shared;
  rng r = rng_new(43, 0);
  budget b = budget_new(0, 0);
  b.end = BUDGET_TIME;
  b.countdown = 1000;
  random_circuit(&c, 8, 40, &r, f->keep);
  circuit_share_pairs(&shared, &c, f->keep, &b);
  assert_int_equal(count_gates(&shared, GATE_AND), 0);
  b = budget_new(0, 0);
  circuit_share_pairs(&shared, &c, f->keep, &b);
  assert_same_functions(&c, &shared, &r, f->keep);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      rules_test(random_circuits_keep_their_functions),
      rules_test(a_pair_of_several_gates_becomes_a_gate),
      rules_test(a_spent_budget_ends_it),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
