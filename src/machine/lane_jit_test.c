/* Instructions of the processor against the graphs that programs were made from. */
#include "base/base_fixture.h"
#include "machine/lane_plan_fixture.h"

static void run_native_plans(uint64_t count, uint32_t ops, uint32_t parts_max) {
  if (!lane_jit_is_possible()) skip();
  for (uint64_t seed = 0; seed < count; seed++) {
    arena *keep = arena_new();
    rng r = rng_new(91, seed);
    random_plan *x =
        random_plan_new(rng_below(&r, ops) + 1, rng_below(&r, parts_max + 1), &r, keep);
    if (!plan_runs_right(x, lane_engine_best(), seed & 1, true, &r, keep))
      fail_msg("plan %u", (unsigned)seed);
    arena_free(keep);
  }
}

static void short_programs_compute_the_graph(void **state) {
  (void)state;
  run_native_plans(300, 40, 0);
}

/* Far more rows than there are registers. */
static void long_programs_compute_the_graph(void **state) {
  (void)state;
  run_native_plans(40, 4000, 0);
}

static void loops_compute_the_least_solution(void **state) {
  (void)state;
  run_native_plans(400, 120, 4);
}

static void a_program_of_nothing_can_be_run(void **state) {
  const lane_program p = {.keep = *state, .slot_count = 1};
  lane_code c;
  lane_code_make(&c, &p, lane_engine_best(), true, *state, NULL);
  bundle_row *rows = lane_rows_new(&p, 0, *state);
  for (lane_phase phase = PHASE_TERMINAL; phase < LANE_PHASES; phase++)
    lane_code_run(&c, phase, rows);
  lane_code_free(&c);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      base_test(short_programs_compute_the_graph),
      base_test(long_programs_compute_the_graph),
      base_test(loops_compute_the_least_solution),
      base_test(a_program_of_nothing_can_be_run),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
