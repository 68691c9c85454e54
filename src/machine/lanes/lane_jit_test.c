/* Instructions of the processor against the graphs that programs were made from. */
#include "base/base_fixture.h"
#include "machine/lanes/lane_plan_fixture.h"

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

#ifdef __x86_64__

/* Calls the code and returns what it leaves in the upper halves of the first 16 registers. */
static uint64_t upper_halves_after(lane_jit_fn *fn, bundle_row *rows) {
  _Alignas(64) uint64_t left[16][8];
  uint64_t any = 0;
  __asm__ volatile(
      "sub $128, %%rsp\n" /* the compiler may have put something below the stack pointer */
      "call *%%rax\n"
      "add $128, %%rsp\n"
      ".irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15\n"
      "vmovdqa64 %%zmm\\n, \\n*64(%%rbx)\n"
      ".endr\n"
      "vzeroupper\n"
      : "+D"(rows)
      : "a"(fn), "b"(left)
      : "memory", "cc", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8",
        "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15");
  for (uint32_t i = 0; i < 16; i++)
    for (uint32_t k = 2; k < 8; k++) any |= left[i][k];
  return any;
}

static void upper_halves_of_registers_are_left_clean(void **state) {
  if (!lane_jit_is_possible()) skip();
  rng r = rng_new(92, 0);
  random_plan *x = random_plan_new(200, 0, &r, *state);
  lane_program p;
  lane_row *rows = arena_new_array(*state, lane_row, x->plan.roots.count + 1);
  assert_true(lane_program_build(&p, &x->plan, false, rows, *state, NULL));
  const uint32_t first = 0, end = p.ops.count;
  lane_jit *j = lane_jit_make(&p, &first, &end, 1, *state, NULL);
  bundle_row *values = lane_rows_new(&p, 0, *state);
  memset(values + 1, 0xff, (p.slot_count - 1) * sizeof *values);
  assert_int_equal(upper_halves_after(lane_jit_function(j, 0), values), 0);
  lane_jit_free(j);
}

#else

static void upper_halves_of_registers_are_left_clean(void **state) {
  (void)state;
  skip();
}

#endif

int main(void) {
  const struct CMUnitTest tests[] = {
      base_test(short_programs_compute_the_graph),
      base_test(long_programs_compute_the_graph),
      base_test(loops_compute_the_least_solution),
      base_test(a_program_of_nothing_can_be_run),
      base_test(upper_halves_of_registers_are_left_clean),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
