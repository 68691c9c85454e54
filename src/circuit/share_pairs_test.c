#include "circuit/circuit_fixture.h"

static void random_circuits_keep_their_functions(void **state) {
  rules_fixture *f = *state;
  uint32_t made = 0;
  for (uint64_t seed = 0; seed < 300; seed++) {
    rng r = rng_new(42, seed);
    circuit c, shared;
    random_circuit(&c, 2 + rng_below(&r, 8), 4 + rng_below(&r, 60), &r, f->keep);
    if (!circuit_share_pairs(&shared, &c, NULL, f->keep, NULL)) continue;
    assert_same_functions(&c, &shared, &r, f->keep);
    assert_gates_differ(&shared, f->keep);
    made++;
  }
  assert_true(made > 200);
}

static void begin(circuit *c, gate_maker *m, uint32_t latches, wire *in, arena *keep) {
  gate_maker_init(m, c, keep, keep);
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
  assert_true(circuit_share_pairs(&shared, &c, NULL, f->keep, NULL));
  assert_same_functions(&c, &shared, &r, f->keep);
  assert_int_equal(count_gates(&shared, GATE_AND), 9);
  assert_int_equal(count_inputs(&shared, f->keep), 18);
}

static void a_circuit_without_common_pairs_is_left(void **state) {
  rules_fixture *f = *state;
  circuit c, shared;
  gate_maker m;
  wire in[30];
  begin(&c, &m, 30, in, f->keep);
  for (uint32_t i = 0; i < 10; i++) c.latches.items[i].next = make_and(&m, in + 3 * i, 3);
  for (uint32_t i = 10; i < 30; i++) c.latches.items[i].next = in[i];
  assert_false(circuit_share_pairs(&shared, &c, NULL, f->keep, NULL));
  make_and_of_two(&m, in[0], in[29]); /* nothing needs it */
  assert_true(circuit_share_pairs(&shared, &c, NULL, f->keep, NULL));
  assert_int_equal(count_gates(&shared, GATE_AND), 10);
}

/* The pair is a gate already, which is read by a gate that is like one that gives the pair away. */
static void a_pair_that_is_a_gate_is_that_gate(void **state) {
  rules_fixture *f = *state;
  for (uint32_t first = 0; first < 2; first++) {
    circuit c, shared;
    gate_maker m;
    rng r = rng_new(1, 0);
    wire in[6];
    begin(&c, &m, 6, in, f->keep);
    const wire all[3] = {in[0], in[1], in[2]}, others[3] = {in[0], in[1], in[3]};
    c.latches.items[0].next = first ? make_and(&m, all, 3) : in[0];
    const wire both = make_and_of_two(&m, in[0], in[1]);
    c.latches.items[1].next = make_and_of_two(&m, both, in[2]);
    c.latches.items[2].next = make_and(&m, others, 3);
    c.latches.items[3].next = make_and(&m, all, 3);
    c.latches.items[4].next = make_and_of_two(&m, c.latches.items[3].next, in[5]);
    c.latches.items[5].next = make_and_of_two(&m, c.latches.items[1].next, in[5]);
    assert_true(circuit_share_pairs(&shared, &c, NULL, f->keep, NULL));
    assert_same_functions(&c, &shared, &r, f->keep);
    assert_gates_differ(&shared, f->keep);
    assert_int_equal(count_gates(&shared, GATE_AND), 4);
  }
}

static void a_spent_budget_ends_it(void **state) {
  rules_fixture *f = *state;
  circuit c, shared;
  rng r = rng_new(43, 0);
  budget b = budget_new(0, 0);
  b.end = BUDGET_TIME;
  b.countdown = 1000;
  random_circuit(&c, 8, 40, &r, f->keep);
  circuit_share_pairs(&shared, &c, NULL, f->keep, &b);
  assert_int_equal(count_gates(&shared, GATE_AND), 0);
  b = budget_new(0, 0);
  circuit_share_pairs(&shared, &c, NULL, f->keep, &b);
  assert_same_functions(&c, &shared, &r, f->keep);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      rules_test(random_circuits_keep_their_functions),
      rules_test(a_pair_of_several_gates_becomes_a_gate),
      rules_test(a_circuit_without_common_pairs_is_left),
      rules_test(a_pair_that_is_a_gate_is_that_gate),
      rules_test(a_spent_budget_ends_it),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
