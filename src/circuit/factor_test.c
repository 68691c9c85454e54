#include "circuit/circuit_fixture.h"

static void random_circuits_keep_their_functions(void **state) {
  rules_fixture *f = *state;
  for (uint64_t seed = 0; seed < 300; seed++) {
    rng r = rng_new(41, seed);
    circuit c, factored;
    random_circuit(&c, 2 + rng_below(&r, 8), 4 + rng_below(&r, 60), &r, f->keep);
    circuit_factor(&factored, &c, NULL, NULL, f->keep, NULL);
    assert_same_functions(&c, &factored, &r, f->keep);
    assert_gates_differ(&factored, f->keep);
    assert_true(count_inputs(&factored, f->keep) <= count_inputs(&c, f->keep));
  }
}

/* a b c | a b d | a b e: what they have in common is asked once. */
static void a_common_condition_is_asked_once(void **state) {
  rules_fixture *f = *state;
  circuit c, factored;
  gate_maker m;
  rng r = rng_new(1, 0);
  wire in[5], terms[3];
  gate_maker_init(&m, &c, NULL, f->keep, f->keep);
  for (uint32_t i = 0; i < 5; i++) {
    in[i] = make_input(&m, GATE_LATCH, i);
    const circuit_latch latch = {.fluent = i, .gate = wire_gate(in[i])};
    vec_push(f->keep, &c.latches, latch);
  }
  for (uint32_t i = 0; i < 3; i++) {
    const wire both[3] = {in[0], in[1], in[2 + i]};
    terms[i] = make_and(&m, both, 3);
  }
  c.latches.items[0].next = make_or(&m, terms, 3);
  circuit_factor(&factored, &c, NULL, NULL, f->keep, NULL);
  assert_same_functions(&c, &factored, &r, f->keep);
  assert_int_equal(count_inputs(&c, f->keep), 12);
  assert_true(count_inputs(&factored, f->keep) <= 7);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      rules_test(random_circuits_keep_their_functions),
      rules_test(a_common_condition_is_asked_once),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
