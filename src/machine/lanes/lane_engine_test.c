/* Every engine that works here computes what the truth tables say. */
#include "base/base_fixture.h"
#include "machine/lanes/lane_plan_fixture.h"

enum { SLOTS = 20, OPS = 256 * 6 };

/* Every table, with operations that read what they write, in runs of several lengths. */
static void make_ops(lane_op *ops, rng *r) {
  for (uint32_t i = 0; i < OPS; i++) {
    ops[i] = (lane_op){.table = (uint8_t)(i / 6), .out = 1 + rng_below(r, SLOTS - 1)};
    if (rng_below(r, 4) == 0) ops[i].table = (uint8_t)rng_below(r, 256);
    for (uint32_t k = 0; k < TABLE_INPUTS; k++) ops[i].in[k] = rng_below(r, SLOTS);
  }
}

static void run_by_tables(const lane_op *ops, bundle_row *rows) {
  for (uint32_t i = 0; i < OPS; i++)
    for (uint32_t word = 0; word < ROW_WORDS; word++) {
      uint64_t out = 0;
      for (uint32_t bit = 0; bit < 64; bit++) {
        uint32_t row = 0;
        for (uint32_t k = 0; k < TABLE_INPUTS; k++)
          row = row << 1 | (rows[ops[i].in[k]].words[word] >> bit & 1);
        out |= (uint64_t)(ops[i].table >> row & 1) << bit;
      }
      rows[ops[i].out].words[word] = out;
    }
}

static void engines_compute_every_table(void **state) {
  (void)state;
  static bundle_row start[SLOTS], expected[SLOTS], rows[SLOTS];
  static lane_op ops[OPS];
  rng r = rng_new(81, 0);
  make_ops(ops, &r);
  for (uint32_t i = 1; i < SLOTS; i++)
    for (uint32_t word = 0; word < ROW_WORDS; word++) start[i].words[word] = rng_next(&r);
  memcpy(expected, start, sizeof start);
  run_by_tables(ops, expected);
  for (const lane_engine *const *e = lane_engines; *e; e++) {
    if (!(*e)->is_supported()) continue;
    print_message("engine %s\n", (*e)->name);
    memcpy(rows, start, sizeof start);
    (*e)->run(ops, ops + OPS, rows);
    assert_memory_equal(rows, expected, sizeof rows);
    (*e)->run(ops, ops, rows);
    assert_memory_equal(rows, expected, sizeof rows);
  }
}

static void engines_run_programs_alike(void **state) {
  (void)state;
  for (const lane_engine *const *e = lane_engines; *e; e++)
    for (uint64_t seed = 0; (*e)->is_supported() && seed < 60; seed++) {
      arena *keep = arena_new();
      rng r = rng_new(82, seed);
      random_plan *x = random_plan_new(rng_below(&r, 400) + 1, rng_below(&r, 3), &r, keep);
      if (!plan_runs_right(x, *e, seed & 1, false, &r, keep))
        fail_msg("engine %s, plan %u", (*e)->name, (unsigned)seed);
      arena_free(keep);
    }
}

static void the_last_engine_always_works(void **state) {
  (void)state;
  const lane_engine *const *e = lane_engines;
  while (e[1]) e++;
  assert_string_equal((*e)->name, "plain");
  assert_true((*e)->is_supported());
  assert_true(lane_engine_best()->is_supported());
}

static void streams_of_random_bits_differ(void **state) {
  (void)state;
  lane_random a, b, c;
  lane_random_init(&a, 1, 0);
  lane_random_init(&b, 1, 1);
  lane_random_init(&c, 2, 0);
  assert_memory_not_equal(&a, &b, sizeof a);
  assert_memory_not_equal(&a, &c, sizeof a);
  for (uint32_t i = 0; i < ROW_WORDS; i++) assert_true(a.high.words[i] != b.low.words[i]);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      base_test(engines_compute_every_table),
      base_test(engines_run_programs_alike),
      base_test(the_last_engine_always_works),
      base_test(streams_of_random_bits_differ),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
