#include "circuit/gate_index.h"

#include "base/base_fixture.h"
#include "base/rng.h"

static gate_id add(circuit *c, gate_index *x, const wire *inputs, uint32_t count, arena *keep) {
  const uint64_t hash = hash_ids(inputs, count);
  uint32_t at;
  gate_index_reserve(x, c, keep);
  const gate_id found = gate_index_find(x, c, inputs, count, hash, &at);
  if (found) return found;
  const gate fresh = {.kind = GATE_AND, .number = c->inputs.count, .input_count = count};
  vec_append(keep, &c->inputs, inputs, count);
  vec_push(keep, &c->gates, fresh);
  gate_index_put(x, at, c->gates.count - 1, hash);
  return c->gates.count - 1;
}

/* A circuit of inputs alone. */
static circuit inputs_only(uint32_t count, arena *keep) {
  circuit c = {.keep = keep};
  for (uint32_t i = 0; i <= count; i++) {
    const gate input = {.kind = i ? GATE_LATCH : GATE_CONSTANT, .number = i};
    vec_push(keep, &c.gates, input);
  }
  return c;
}

static void what_was_put_is_found(void **state) {
  circuit c = inputs_only(100, *state);
  gate_index x = {0};
  for (uint32_t round = 0; round < 2; round++)
    for (wire a = 2; a < 100; a++)
      for (wire b = a + 1; b < 100; b++)
        assert_int_equal(gate_inputs(&c, add(&c, &x, (wire[]){a, b}, 2, *state))[1], b);
  assert_int_equal(x.count, 98 * 97 / 2);
  assert_int_equal(c.gates.count, 101 + x.count);
}

/* The gates of a circuit with many more inputs than gates need more bits than there are slots. */
static void gates_with_large_numbers_are_found(void **state) {
  circuit c = inputs_only(100000, *state);
  gate_index x = {0};
  for (uint32_t i = 0; i < 50000; i++) {
    const gate input = {.kind = GATE_LATCH, .number = i};
    const wire pair[2] = {2 + i % 40, 100 + i % 30};
    const gate_id g = add(&c, &x, pair, 2, *state);
    assert_memory_equal(gate_inputs(&c, g), pair, sizeof pair);
    for (uint32_t k = 0; k < 8; k++) vec_push(*state, &c.gates, input);
  }
  assert_int_equal(x.count, 120);
}

static void an_index_begins_with_all_gates(void **state) {
  circuit c = inputs_only(10, *state);
  gate_index x = {0}, other = {.expected = 1000};
  uint32_t at;
  const wire inputs[3] = {2, 5, 8};
  const gate_id g = add(&c, &x, inputs, 3, *state);
  gate_index_grow(&other, &c, *state);
  assert_int_equal(gate_index_find(&other, &c, inputs, 3, hash_ids(inputs, 3), &at), g);
  assert_int_equal(gate_index_find(&other, &c, inputs, 2, hash_ids(inputs, 2), &at), 0);
  assert_true(other.mask > 1000);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      base_test(what_was_put_is_found),
      base_test(gates_with_large_numbers_are_found),
      base_test(an_index_begins_with_all_gates),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
