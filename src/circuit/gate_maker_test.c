#include "base/base_fixture.h"
#include "base/rng.h"
#include "circuit/gate_maker.h"

typedef struct maker_fixture {
  circuit c;
  gate_maker m;
  wire a, b, d; /* latches */
} maker_fixture;

static maker_fixture *begin(void **state) {
  arena *keep = *state;
  maker_fixture *f = arena_alloc_zero(keep, sizeof *f);
  gate_maker_init(&f->m, &f->c, keep, keep);
  f->a = make_input(&f->m, GATE_LATCH, 0);
  f->b = make_input(&f->m, GATE_LATCH, 1);
  f->d = make_input(&f->m, GATE_LATCH, 2);
  return f;
}

static void constants_are_folded(void **state) {
  maker_fixture *f = begin(state);
  assert_int_equal(make_and(&f->m, NULL, 0), WIRE_TRUE);
  assert_int_equal(make_or(&f->m, NULL, 0), WIRE_FALSE);
  assert_int_equal(make_and_of_two(&f->m, f->a, WIRE_TRUE), f->a);
  assert_int_equal(make_and_of_two(&f->m, WIRE_FALSE, f->a), WIRE_FALSE);
  const wire with_true[2] = {f->a, WIRE_TRUE}, with_false[2] = {WIRE_FALSE, f->a};
  assert_int_equal(make_or(&f->m, with_true, 2), WIRE_TRUE);
  assert_int_equal(make_or(&f->m, with_false, 2), f->a);
  assert_int_equal(f->c.gates.count, 4);
}

static void repeated_inputs_count_once(void **state) {
  maker_fixture *f = begin(state);
  const wire twice[3] = {f->b, f->a, f->b};
  const wire w = make_and(&f->m, twice, 3);
  assert_int_equal(f->c.gates.items[wire_gate(w)].input_count, 2);
  const wire same[2] = {wire_not(f->a), wire_not(f->a)};
  assert_int_equal(make_and(&f->m, same, 2), wire_not(f->a));
}

static void what_excludes_itself_never_holds(void **state) {
  maker_fixture *f = begin(state);
  const wire clash[3] = {f->a, f->b, wire_not(f->a)};
  assert_int_equal(make_and(&f->m, clash, 3), WIRE_FALSE);
  assert_int_equal(make_or(&f->m, clash, 3), WIRE_TRUE);
}

static void equal_gates_are_one_whatever_their_order(void **state) {
  maker_fixture *f = begin(state);
  const wire one[3] = {f->a, f->b, wire_not(f->d)}, other[3] = {wire_not(f->d), f->a, f->b};
  assert_int_equal(make_and(&f->m, one, 3), make_and(&f->m, other, 3));
  const wire flipped[3] = {wire_not(f->a), wire_not(f->b), f->d};
  assert_int_equal(make_or(&f->m, flipped, 3), wire_not(make_and(&f->m, one, 3)));
  assert_int_equal(f->c.gates.count, 5);
}

static void gates_that_differ_in_a_negation_are_two(void **state) {
  maker_fixture *f = begin(state);
  assert_int_not_equal(make_and_of_two(&f->m, f->a, f->b),
                       make_and_of_two(&f->m, f->a, wire_not(f->b)));
}

static void many_gates_stay_apart(void **state) {
  maker_fixture *f = begin(state);
  wire inputs[12];
  for (uint32_t i = 0; i < 12; i++) inputs[i] = make_input(&f->m, GATE_LATCH, 3 + i);
  for (uint32_t round = 0; round < 2; round++) {
    for (uint32_t bits = 0; bits < 1u << 12; bits++) {
      wire chosen[12];
      uint32_t count = 0;
      for (uint32_t i = 0; i < 12; i++)
        if (bits >> i & 1) chosen[count++] = inputs[i];
      const wire w = make_and(&f->m, chosen, count);
      if (count < 2) continue;
      assert_int_equal(f->c.gates.items[wire_gate(w)].input_count, count);
      assert_memory_equal(gate_inputs(&f->c, wire_gate(w)), chosen, count * sizeof *chosen);
    }
    assert_int_equal(f->c.gates.count, 1 + 3 + 12 + (1 << 12) - 13);
  }
}

static void many_at_once_are_those_made_one_by_one(void **state) {
  maker_fixture *f = begin(state);
  maker_fixture *one = begin(state);
  rng r = rng_new(6, 0);
  wire wires[400];
  wire_range ranges[100];
  wire made[100], expected[100];
  for (uint32_t i = 0; i < 400; i++) wires[i] = rng_below(&r, 8);
  for (uint32_t i = 0; i < 100; i++) {
    ranges[i] = (wire_range){i * 4, rng_below(&r, 5)};
    expected[i] = make_and(&one->m, wires + i * 4, ranges[i].count);
    if (!reduce_inputs(wires + i * 4, &ranges[i].count)) {
      ranges[i].count = 0; /* only what can hold is made */
      expected[i] = WIRE_TRUE;
    }
  }
  make_ands(&f->m, &(wire_vec){wires, 400, 400}, ranges, 100, made);
  assert_memory_equal(made, expected, sizeof made);
  assert_int_equal(f->c.gates.count, one->c.gates.count);
}

/* Lists of all lengths, lying close together or not. */
static void inputs_are_sorted_and_each_is_there_once(void **state) {
  (void)state;
  rng r = rng_new(9, 0);
  for (uint32_t round = 0; round < 400; round++) {
    wire wires[300];
    const uint32_t range = round % 2 ? 2000 : 2000000;
    uint32_t count = rng_below(&r, 300), kept = count;
    uint64_t sum = 0, expected = 0;
    for (uint32_t i = 0; i < count; i++) wires[i] = 2 + rng_below(&r, range) * 2;
    for (uint32_t i = 0; i < count; i++) {
      bool is_first = true;
      for (uint32_t k = 0; k < i; k++) is_first &= wires[k] != wires[i];
      expected += is_first ? wires[i] : 0;
    }
    assert_true(reduce_inputs(wires, &kept));
    for (uint32_t i = 0; i < kept; i++) {
      assert_true(!i || wires[i - 1] < wires[i]);
      sum += wires[i];
    }
    assert_true(sum == expected);
    wires[kept] = kept ? wire_not(wires[kept / 2]) : WIRE_FALSE;
    count = kept + 1;
    assert_false(reduce_inputs(wires, &count));
  }
}

static void a_gate_made_without_looking_is_found_when_all_are(void **state) {
  maker_fixture *f = begin(state);
  const wire ab[2] = {f->a, f->b};
  make_and_of_two(&f->m, f->a, f->d);
  const wire made = make_unlike(&f->m, ab, 2);
  gate_maker_find_all(&f->m);
  assert_int_equal(make_and(&f->m, ab, 2), made);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      base_test(many_at_once_are_those_made_one_by_one),
      base_test(inputs_are_sorted_and_each_is_there_once),
      base_test(a_gate_made_without_looking_is_found_when_all_are),
      base_test(constants_are_folded),
      base_test(repeated_inputs_count_once),
      base_test(what_excludes_itself_never_holds),
      base_test(equal_gates_are_one_whatever_their_order),
      base_test(gates_that_differ_in_a_negation_are_two),
      base_test(many_gates_stay_apart),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
