#include "base/base_fixture.h"
#include "base/rng.h"
#include "circuit/gate_maker.h"

typedef struct maker_fixture {
  circuit c;
  move_sets sets;
  gate_maker m;
  wire a, b, d; /* latches */
} maker_fixture;

static maker_fixture *begin(void **state, const uint32_t *universe, uint32_t roles) {
  arena *keep = *state;
  maker_fixture *f = arena_alloc_zero(keep, sizeof *f);
  move_sets_init(&f->sets, universe, roles, keep);
  gate_maker_init(&f->m, &f->c, roles ? &f->sets : NULL, keep, keep);
  f->a = make_input(&f->m, GATE_LATCH, 0);
  f->b = make_input(&f->m, GATE_LATCH, 1);
  f->d = make_input(&f->m, GATE_LATCH, 2);
  return f;
}

static void constants_are_folded(void **state) {
  maker_fixture *f = begin(state, NULL, 0);
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
  maker_fixture *f = begin(state, NULL, 0);
  const wire twice[3] = {f->b, f->a, f->b};
  const wire w = make_and(&f->m, twice, 3);
  assert_int_equal(f->c.gates.items[wire_gate(w)].input_count, 2);
  const wire same[2] = {wire_not(f->a), wire_not(f->a)};
  assert_int_equal(make_and(&f->m, same, 2), wire_not(f->a));
}

static void what_excludes_itself_never_holds(void **state) {
  maker_fixture *f = begin(state, NULL, 0);
  const wire clash[3] = {f->a, f->b, wire_not(f->a)};
  assert_int_equal(make_and(&f->m, clash, 3), WIRE_FALSE);
  assert_int_equal(make_or(&f->m, clash, 3), WIRE_TRUE);
}

static void equal_gates_are_one_whatever_their_order(void **state) {
  maker_fixture *f = begin(state, NULL, 0);
  const wire one[3] = {f->a, f->b, wire_not(f->d)}, other[3] = {wire_not(f->d), f->a, f->b};
  assert_int_equal(make_and(&f->m, one, 3), make_and(&f->m, other, 3));
  const wire flipped[3] = {wire_not(f->a), wire_not(f->b), f->d};
  assert_int_equal(make_or(&f->m, flipped, 3), wire_not(make_and(&f->m, one, 3)));
  assert_int_equal(f->c.gates.count, 5);
}

static void gates_that_differ_in_a_negation_are_two(void **state) {
  maker_fixture *f = begin(state, NULL, 0);
  assert_int_not_equal(make_and_of_two(&f->m, f->a, f->b),
                       make_and_of_two(&f->m, f->a, wire_not(f->b)));
}

static void many_gates_stay_apart(void **state) {
  maker_fixture *f = begin(state, NULL, 0);
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

/* ---- moves ---- */

static const uint32_t five_and_two[2] = {5, 2};

static wire move(maker_fixture *f, uint32_t role, uint32_t number) {
  return make_move_choice(&f->m, move_sets_single(&f->sets, role, number));
}

static void two_moves_of_a_role_are_not_done_at_once(void **state) {
  maker_fixture *f = begin(state, five_and_two, 2);
  assert_int_equal(make_and_of_two(&f->m, move(f, 0, 1), move(f, 0, 3)), WIRE_FALSE);
  const wire three[3] = {f->a, move(f, 0, 1), move(f, 0, 3)};
  assert_int_equal(make_and(&f->m, three, 3), WIRE_FALSE);
}

static void one_move_excludes_the_others(void **state) {
  maker_fixture *f = begin(state, five_and_two, 2);
  assert_int_equal(make_and_of_two(&f->m, move(f, 0, 1), wire_not(move(f, 0, 3))), move(f, 0, 1));
}

static void all_moves_together_are_certain(void **state) {
  maker_fixture *f = begin(state, five_and_two, 2);
  wire all[5];
  for (uint32_t i = 0; i < 5; i++) all[i] = move(f, 0, i);
  assert_int_equal(make_or(&f->m, all, 5), WIRE_TRUE);
}

static void of_two_moves_one_is_the_negation_of_the_other(void **state) {
  maker_fixture *f = begin(state, five_and_two, 2);
  assert_int_equal(move(f, 1, 0), wire_not(move(f, 1, 1)));
}

static void moves_of_a_role_are_joined_and_those_of_two_are_not(void **state) {
  maker_fixture *f = begin(state, five_and_two, 2);
  const wire inputs[4] = {wire_not(move(f, 0, 1)), f->a, wire_not(move(f, 0, 2)), move(f, 1, 1)};
  const wire w = make_and(&f->m, inputs, 4);
  uint32_t sets = 0;
  assert_int_equal(f->c.gates.items[wire_gate(w)].input_count, 3);
  for (uint32_t i = 0; i < 3; i++) {
    const wire in = gate_inputs(&f->c, wire_gate(w))[i];
    if (!wire_is_move_set(&f->c, in)) continue;
    sets++;
    const move_set *s = &f->sets.sets.items[move_choice_of(&f->c, in).set];
    assert_int_equal(s->count, s->role == 0 ? 2 : 1);
  }
  assert_int_equal(sets, 2);
}

static void a_set_has_one_gate(void **state) {
  maker_fixture *f = begin(state, five_and_two, 2);
  const wire ab[2] = {move(f, 0, 1), move(f, 0, 2)}, ba[2] = {move(f, 0, 2), move(f, 0, 1)};
  const wire rest[3] = {move(f, 0, 0), move(f, 0, 3), move(f, 0, 4)};
  const wire w = make_or(&f->m, ab, 2);
  assert_int_equal(make_or(&f->m, ba, 2), w);
  assert_int_equal(make_or(&f->m, rest, 3), wire_not(w));
}

static void many_at_once_are_those_made_one_by_one(void **state) {
  maker_fixture *f = begin(state, NULL, 0);
  maker_fixture *one = begin(state, NULL, 0);
  rng r = rng_new(6, 0);
  wire wires[400];
  wire_range ranges[100];
  wire made[100], expected[100];
  for (uint32_t i = 0; i < 400; i++) wires[i] = rng_below(&r, 8);
  for (uint32_t i = 0; i < 100; i++) {
    ranges[i] = (wire_range){i * 4, rng_below(&r, 5)};
    expected[i] = make_and(&one->m, wires + i * 4, ranges[i].count);
  }
  make_ands(&f->m, &(wire_vec){wires, 400, 400}, ranges, 100, made);
  assert_memory_equal(made, expected, sizeof made);
  assert_int_equal(f->c.gates.count, one->c.gates.count);
}

static void a_gate_made_without_looking_is_found_when_all_are(void **state) {
  maker_fixture *f = begin(state, NULL, 0);
  const wire ab[2] = {f->a, f->b};
  make_and_of_two(&f->m, f->a, f->d);
  const wire made = make_unlike(&f->m, ab, 2);
  gate_maker_find_all(&f->m);
  assert_int_equal(make_and(&f->m, ab, 2), made);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      base_test(many_at_once_are_those_made_one_by_one),
      base_test(a_gate_made_without_looking_is_found_when_all_are),
      base_test(constants_are_folded),
      base_test(repeated_inputs_count_once),
      base_test(what_excludes_itself_never_holds),
      base_test(equal_gates_are_one_whatever_their_order),
      base_test(gates_that_differ_in_a_negation_are_two),
      base_test(many_gates_stay_apart),
      base_test(two_moves_of_a_role_are_not_done_at_once),
      base_test(one_move_excludes_the_others),
      base_test(all_moves_together_are_certain),
      base_test(of_two_moves_one_is_the_negation_of_the_other),
      base_test(moves_of_a_role_are_joined_and_those_of_two_are_not),
      base_test(a_set_has_one_gate),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
