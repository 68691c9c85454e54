/* The plainest evaluation against truth tables and fixpoints worked out by hand. */
#include "circuit/circuit_fixture.h"

/* All cases of up to six inputs: bit i of input k is bit k of i. */
static const uint64_t cases[6] = {0xaaaaaaaaaaaaaaaau, 0xccccccccccccccccu, 0xf0f0f0f0f0f0f0f0u,
                                  0xff00ff00ff00ff00u, 0xffff0000ffff0000u, 0xffffffff00000000u};

typedef struct bench {
  circuit c;
  gate_maker m;
  wire in[6];
  uint64_t *values;
} bench;

static bench *bench_new(uint32_t inputs, arena *keep) {
  bench *b = arena_alloc_zero(keep, sizeof *b);
  gate_maker_init(&b->m, &b->c, keep, keep);
  for (uint32_t i = 0; i < inputs; i++) b->in[i] = make_input(&b->m, GATE_LATCH, i);
  return b;
}

static void run(bench *b, arena *keep) {
  b->values = arena_zero_array(keep, uint64_t, b->c.gates.count);
  b->values[0] = 99; /* whatever was there: the constant is false */
  for (uint32_t i = 0; i < 6 && b->in[i]; i++) b->values[wire_gate(b->in[i])] = cases[i];
  circuit_simulate(&b->c, b->values);
}

static void conjunctions_are_evaluated_in_all_cases(void **state) {
  rules_fixture *f = *state;
  bench *b = bench_new(6, f->keep);
  const wire three[3] = {b->in[0], wire_not(b->in[1]), b->in[2]};
  const wire all = make_and(&b->m, three, 3);
  const wire any = make_or(&b->m, b->in, 6);
  const wire deep = make_and_of_two(&b->m, wire_not(all), any);
  run(b, f->keep);
  assert_true(wire_value(b->values, all) == (cases[0] & ~cases[1] & cases[2]));
  assert_true(wire_value(b->values, any) == UINT64_MAX - 1);
  assert_true(wire_value(b->values, deep) ==
              (~(cases[0] & ~cases[1] & cases[2]) & (UINT64_MAX - 1)));
  assert_true(wire_value(b->values, WIRE_FALSE) == 0);
  assert_true(wire_value(b->values, WIRE_TRUE) == UINT64_MAX);
}

/* p is the least p = p & a | b: that is b, and not what p was before. */
static void recursion_begins_with_nothing(void **state) {
  rules_fixture *f = *state;
  bench *b = bench_new(2, f->keep);
  const wire p = make_input(&b->m, GATE_LOOP, 0);
  const wire step = make_and_of_two(&b->m, p, b->in[0]);
  const wire both[2] = {step, b->in[1]};
  const wire definition = make_or(&b->m, both, 2);
  const circuit_place place = {wire_gate(p), definition};
  const circuit_component component = {
      .place_count = 1, .first = wire_gate(p), .end = b->c.gates.count};
  vec_push(f->keep, &b->c.places, place);
  vec_push(f->keep, &b->c.components, component);
  const wire reader = make_and_of_two(&b->m, p, wire_not(b->in[0]));
  run(b, f->keep);
  assert_true(wire_value(b->values, p) == cases[1]);
  assert_true(wire_value(b->values, reader) == (cases[1] & ~cases[0]));
  b->values[wire_gate(p)] = UINT64_MAX;
  circuit_simulate(&b->c, b->values);
  assert_true(wire_value(b->values, p) == cases[1]);
}

/* A chain that takes as many rounds as it is long, each case another number of them. */
static void recursion_goes_on_until_nothing_changes(void **state) {
  rules_fixture *f = *state;
  enum { LENGTH = 12 };
  bench *b = bench_new(2, f->keep);
  wire places[LENGTH];
  for (uint32_t i = 0; i < LENGTH; i++) places[i] = make_input(&b->m, GATE_LOOP, i);
  for (uint32_t i = 0; i < LENGTH; i++) { /* from the far end, which the first round cannot know */
    const wire before = i + 1 < LENGTH ? places[i + 1] : b->in[1];
    const circuit_place place = {wire_gate(places[i]), make_and_of_two(&b->m, before, b->in[0])};
    vec_push(f->keep, &b->c.places, place);
  }
  const circuit_component component = {
      .place_count = LENGTH, .first = wire_gate(places[0]), .end = b->c.gates.count};
  vec_push(f->keep, &b->c.components, component);
  run(b, f->keep);
  for (uint32_t i = 0; i < LENGTH; i++)
    assert_true(wire_value(b->values, places[i]) == (cases[0] & cases[1]));
}

static void gates_that_are_not_needed_are_left(void **state) {
  rules_fixture *f = *state;
  rng r = rng_new(7, 0);
  circuit c;
  random_circuit(&c, 6, 40, &r, f->keep);
  uint64_t *all = arena_zero_array(f->keep, uint64_t, c.gates.count);
  uint64_t *some = arena_zero_array(f->keep, uint64_t, c.gates.count);
  const uint32_t *needed = circuit_fanout(&c, f->keep);
  uint32_t left = 0;
  for (uint32_t i = 0; i < c.latches.count; i++)
    all[c.latches.items[i].gate] = some[c.latches.items[i].gate] = rng_next(&r);
  circuit_simulate(&c, all);
  circuit_simulate_some(&c, needed, some);
  for (gate_id g = 0; g < c.gates.count; g++) {
    const bool is_left = c.gates.items[g].kind == GATE_AND && !needed[g];
    assert_true(some[g] == (is_left ? 0 : all[g]));
    left += is_left;
  }
  assert_true(left > 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      rules_test(conjunctions_are_evaluated_in_all_cases),
      rules_test(recursion_begins_with_nothing),
      rules_test(recursion_goes_on_until_nothing_changes),
      rules_test(gates_that_are_not_needed_are_left),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
