#include "circuit/move_terms.h"

#include "base/base_fixture.h"
#include "base/rng.h"

/* Two roles of six and four moves, and conditions that are latches. */
enum { ROLES = 2, LATCHES = 4 };
static const uint32_t universe[ROLES] = {6, 4};

typedef struct terms_bench {
  move_sets sets;
  wire_vec wires;
  move_terms terms;
} terms_bench;

static terms_bench *bench_new(arena *keep) {
  terms_bench *b = arena_alloc_zero(keep, sizeof *b);
  move_sets_init(&b->sets, universe, ROLES, keep);
  b->terms =
      (move_terms){.scratch = keep, .wires = &b->wires, .sets = &b->sets, .role_count = ROLES};
  return b;
}

static uint32_t single(terms_bench *b, uint32_t role, uint32_t move) {
  return set_value_of(move_sets_single(&b->sets, role, move));
}

static bool add(terms_bench *b, const wire *wires, uint32_t count, const uint32_t *values,
                uint32_t value_count, arena *keep) {
  const wire_range conditions = {b->wires.count, count};
  vec_append(keep, &b->wires, wires, count);
  return move_terms_add(&b->terms, conditions, values, value_count);
}

static bool value_holds(const terms_bench *b, uint32_t value, uint32_t move) {
  if (value <= WIRE_TRUE) return value == WIRE_TRUE;
  const move_choice c = set_value_choice(value);
  const move_set *s = &b->sets.sets.items[c.set];
  bool is_in = false;
  for (uint32_t i = 0; i < s->count; i++) is_in |= b->sets.members.items[s->first + i] == move;
  return is_in == (c.kind == MOVES_IN);
}

/* Does any term hold, with these latches and moves? */
static bool any_holds(const terms_bench *b, uint32_t latches, const uint32_t *moves) {
  for (uint32_t i = 0; i < b->terms.all.count; i++) {
    const move_term *t = &b->terms.all.items[i];
    bool holds = true;
    for (uint32_t k = 0; k < t->count; k++)
      holds &= latches >> b->wires.items[t->first + k] / 2 & 1;
    for (uint32_t role = 0; role < ROLES; role++)
      holds &= value_holds(b, b->terms.values.items[t->sets + role], moves[role]);
    if (holds) return true;
  }
  return false;
}

static uint32_t truth(const terms_bench *b, bool *table) {
  uint32_t size = 0;
  for (uint32_t latches = 0; latches < 1u << LATCHES; latches++)
    for (uint32_t x = 0; x < universe[0]; x++)
      for (uint32_t y = 0; y < universe[1]; y++)
        table[size++] = any_holds(b, latches << 1, (const uint32_t[ROLES]){x, y});
  return size;
}

static void add_random(terms_bench *b, rng *r, arena *keep) {
  wire wires[LATCHES];
  uint32_t values[4], count = 0, value_count = 0;
  for (uint32_t i = 0; i < LATCHES; i++)
    if (rng_below(r, 3) == 0) wires[count++] = wire_of(1 + i, false);
  for (uint32_t role = 0; role < ROLES; role++)
    for (uint32_t times = rng_below(r, 3); times > 0; times--)
      values[value_count++] = single(b, role, rng_below(r, universe[role])) ^ (times == 1);
  add(b, wires, count, values, value_count, keep);
}

static void joined_terms_say_the_same(void **state) {
  arena *keep = *state;
  bool before[1 << 10], after[1 << 10];
  uint32_t joined = 0;
  for (uint64_t seed = 0; seed < 200; seed++) {
    rng r = rng_new(51, seed);
    terms_bench *b = bench_new(keep);
    for (uint32_t i = rng_below(&r, 30); i > 0; i--) add_random(b, &r, keep);
    const uint32_t count = b->terms.all.count, size = truth(b, before);
    move_terms_join(&b->terms);
    truth(b, after);
    assert_memory_equal(before, after, size * sizeof *before);
    joined += count - b->terms.all.count;
  }
  assert_true(joined > 400);
}

static void terms_that_differ_in_one_role_alone_are_one(void **state) {
  arena *keep = *state;
  terms_bench *b = bench_new(keep);
  const wire p = wire_of(1, false), q = wire_of(2, false);
  for (uint32_t i = 0; i < 3; i++)
    for (uint32_t k = 0; k < 2; k++) {
      const uint32_t both[2] = {single(b, 0, i), single(b, 1, k)};
      assert_true(add(b, &p, 1, both, 2, keep));
      assert_true(add(b, &q, 1, both, 1, keep));
    }
  move_terms_join(&b->terms);
  assert_int_equal(b->terms.all.count, 2);
}

static void what_two_moves_of_a_role_ask_for_never_holds(void **state) {
  arena *keep = *state;
  terms_bench *b = bench_new(keep);
  const uint32_t two[2] = {single(b, 0, 1), single(b, 0, 3)};
  const uint32_t not_the_other[2] = {single(b, 0, 1), single(b, 0, 3) ^ 1};
  assert_false(add(b, NULL, 0, two, 2, keep));
  assert_int_equal(b->terms.all.count, 0);
  assert_true(add(b, NULL, 0, not_the_other, 2, keep));
  assert_int_equal(b->terms.values.items[0], two[0]);
}

static void all_moves_of_a_role_together_are_certain(void **state) {
  arena *keep = *state;
  terms_bench *b = bench_new(keep);
  for (uint32_t i = 0; i < universe[1]; i++) {
    const uint32_t value = single(b, 1, i);
    add(b, NULL, 0, &value, 1, keep);
  }
  move_terms_join(&b->terms);
  assert_int_equal(b->terms.all.count, 1);
  assert_int_equal(b->terms.values.items[b->terms.all.items[0].sets + 1], WIRE_TRUE);
}

static void values_are_choices_and_back(void **state) {
  arena *keep = *state;
  terms_bench *b = bench_new(keep);
  const uint32_t values[] = {WIRE_FALSE, WIRE_TRUE, single(b, 0, 2), single(b, 1, 0) ^ 1};
  for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
    assert_int_equal(set_value_of(set_value_choice(values[i])), values[i]);
    assert_int_equal(set_value_of(move_choice_not(set_value_choice(values[i]))), values[i] ^ 1);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      base_test(joined_terms_say_the_same),
      base_test(terms_that_differ_in_one_role_alone_are_one),
      base_test(what_two_moves_of_a_role_ask_for_never_holds),
      base_test(all_moves_of_a_role_together_are_certain),
      base_test(values_are_choices_and_back),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
