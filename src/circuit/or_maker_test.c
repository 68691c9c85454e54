#include "circuit/or_maker.h"

#include "circuit/circuit_fixture.h"

enum { LATCHES = 10 };

typedef struct factor_bench {
  circuit c;
  gate_maker m;
  or_maker f;
  wire in[LATCHES];
  uint64_t inputs[LATCHES]; /* what the latches are in 64 cases */
  or_term_vec terms;
} factor_bench;

static factor_bench *bench_new(rng *r, arena *keep) {
  factor_bench *b = arena_alloc_zero(keep, sizeof *b);
  gate_maker_init(&b->m, &b->c, keep, keep);
  b->f = (or_maker){.maker = &b->m, .scratch = keep};
  for (uint32_t i = 0; i < LATCHES; i++) {
    b->in[i] = make_input(&b->m, GATE_LATCH, i);
    b->inputs[i] = rng_next(r);
  }
  return b;
}

/* Terms of latches, negated or not, in their order. */
static void add_term(factor_bench *b, const wire *wires, uint32_t count, arena *keep) {
  const or_term t = {.first = b->f.wires.count, .count = count};
  vec_append(keep, &b->f.wires, wires, count);
  vec_push(keep, &b->terms, t);
}

static void add_random_terms(factor_bench *b, uint32_t count, rng *r, arena *keep) {
  for (uint32_t i = 0; i < count; i++) {
    wire wires[LATCHES];
    uint32_t size = 0;
    for (uint32_t k = 0; k < LATCHES; k++)
      if (rng_below(r, 3) == 0) wires[size++] = b->in[k] ^ rng_below(r, 2);
    add_term(b, wires, size, keep);
  }
}

static uint64_t *values_of_gates(const factor_bench *b, arena *keep) {
  uint64_t *values = arena_zero_array(keep, uint64_t, b->c.gates.count);
  for (uint32_t i = 0; i < LATCHES; i++) values[wire_gate(b->in[i])] = b->inputs[i];
  circuit_simulate(&b->c, values);
  return values;
}

static uint64_t value_of_terms(const factor_bench *b, arena *keep) {
  const uint64_t *values = values_of_gates(b, keep);
  uint64_t any = 0;
  for (uint32_t i = 0; i < b->terms.count; i++) {
    uint64_t all = UINT64_MAX;
    for (uint32_t k = 0; k < b->terms.items[i].count; k++)
      all &= wire_value(values, b->f.wires.items[b->terms.items[i].first + k]);
    any |= all;
  }
  return any;
}

static void random_terms_keep_their_disjunction(void **state) {
  rules_fixture *f = *state;
  for (uint64_t seed = 0; seed < 400; seed++) {
    rng r = rng_new(41, seed);
    factor_bench *b = bench_new(&r, f->keep);
    add_random_terms(b, 1 + rng_below(&r, 20), &r, f->keep);
    const uint64_t expected = value_of_terms(b, f->keep);
    const wire made = or_make(&b->f, b->terms.items, b->terms.count);
    assert_true(wire_value(values_of_gates(b, f->keep), made) == expected);
    assert_gates_differ(&b->c, f->keep);
    assert_int_equal(b->f.parts.count, 0);
    for (uint32_t i = 0; i < b->f.times.count; i++) assert_int_equal(b->f.times.items[i], 0);
  }
}

static void parts_are_the_disjunction(void **state) {
  rules_fixture *f = *state;
  for (uint64_t seed = 0; seed < 200; seed++) {
    rng r = rng_new(44, seed);
    factor_bench *b = bench_new(&r, f->keep);
    wire_vec parts = {0};
    uint64_t any = 0;
    add_random_terms(b, 1 + rng_below(&r, 12), &r, f->keep);
    const uint64_t expected = value_of_terms(b, f->keep);
    or_parts(&b->f, b->terms.items, b->terms.count, &parts);
    const uint64_t *values = values_of_gates(b, f->keep);
    for (uint32_t i = 0; i < parts.count; i++) any |= wire_value(values, parts.items[i]);
    assert_true(any == expected);
  }
}

/* a b c | a b d | a b e: what they have in common is asked once, by one gate. */
static void a_common_condition_is_asked_once(void **state) {
  rules_fixture *f = *state;
  rng r = rng_new(1, 0);
  for (uint32_t terms = 2; terms < 6; terms++) {
    factor_bench *b = bench_new(&r, f->keep);
    for (uint32_t i = 0; i < terms; i++)
      add_term(b, (const wire[]){b->in[0], b->in[1], b->in[2 + i]}, 3, f->keep);
    or_make(&b->f, b->terms.items, b->terms.count);
    assert_int_equal(count_gates(&b->c, GATE_AND), 2);
    assert_int_equal(b->c.inputs.count, terms + 3);
  }
}

/* With c, and without d: a c | b d | e becomes a | e. */
static void what_is_decided_is_dropped(void **state) {
  rules_fixture *f = *state;
  rng r = rng_new(1, 0);
  factor_bench *b = bench_new(&r, f->keep);
  const wire known[2] = {b->in[2], wire_not(b->in[3])};
  add_term(b, (const wire[]){b->in[0], b->in[2]}, 2, f->keep);
  add_term(b, (const wire[]){b->in[1], b->in[3]}, 2, f->keep);
  add_term(b, (const wire[]){b->in[4]}, 1, f->keep);
  assert_int_equal(or_reduce(&b->f, known, 2, b->terms.items, 3), 2);
  const wire expected[2] = {b->in[0], b->in[4]};
  assert_int_equal(or_make(&b->f, b->terms.items, 2), make_or(&b->m, expected, 2));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      rules_test(random_terms_keep_their_disjunction),
      rules_test(parts_are_the_disjunction),
      rules_test(a_common_condition_is_asked_once),
      rules_test(what_is_decided_is_dropped),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
