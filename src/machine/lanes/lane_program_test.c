/* Programs on the plainest engine against the graphs that they were made from. */
#include "base/base_fixture.h"
#include "machine/lanes/lane_plan_fixture.h"

static const lane_engine *plain_engine(void) {
  const lane_engine *const *e = lane_engines;
  while (e[1]) e++;
  return *e;
}

static void run_random_plans(uint64_t count, uint32_t ops, uint32_t components_max, bool in_runs) {
  for (uint64_t seed = 0; seed < count; seed++) {
    arena *keep = arena_new();
    rng r = rng_new(71 + in_runs, seed);
    random_plan *x =
        random_plan_new(rng_below(&r, ops) + 1, rng_below(&r, components_max + 1), &r, keep);
    if (!plan_runs_right(x, plain_engine(), in_runs, false, &r, keep))
      fail_msg("plan %u", (unsigned)seed);
    arena_free(keep);
  }
}

static void straight_programs_compute_the_graph(void **state) {
  (void)state;
  run_random_plans(150, 300, 0, false);
}

static void straight_programs_in_runs_compute_the_graph(void **state) {
  (void)state;
  run_random_plans(150, 900, 0, true);
}

static void loops_compute_the_least_solution(void **state) {
  (void)state;
  run_random_plans(400, 120, 4, false);
}

static void loops_in_runs_compute_the_least_solution(void **state) {
  (void)state;
  run_random_plans(400, 120, 4, true);
}

/* ---- slots ---- */

static void add_inputs(aig *g, lane_plan *plan, edge *in, uint32_t count, arena *keep) {
  aig_init(g, keep);
  for (uint32_t i = 0; i < count; i++) {
    in[i] = aig_input(g);
    vec_push(keep, &plan->inputs, edge_node(in[i]));
  }
}

static void slots_are_used_again(void **state) {
  aig g;
  lane_plan plan = {.g = &g};
  lane_program p;
  lane_row row;
  aig_init(&g, *state);
  edge chain = aig_input(&g), other = aig_input(&g);
  vec_push(*state, &plan.inputs, edge_node(chain));
  vec_push(*state, &plan.inputs, edge_node(other));
  for (uint32_t i = 0; i < 50; i++) {
    const edge in = aig_input(&g);
    vec_push(*state, &plan.inputs, edge_node(in));
    chain = edge_not(aig_and(&g, chain, in));
    chain = edge_not(aig_and(&g, chain, other));
  }
  const lane_root root = {chain, PHASE_NEXT, PHASE_NEXT, SLOT_FALSE};
  vec_push(*state, &plan.roots, root);
  lane_program_build(&p, &plan, false, &row, *state, NULL);
  assert_true(p.ops.count >= 50);
  assert_int_equal(p.slot_count, 52 + 1 + 1); /* the inputs, false, and one for the chain */
}

static void a_phase_has_only_what_it_is_asked_for(void **state) {
  aig g;
  lane_plan plan = {.g = &g};
  lane_program p;
  lane_row rows[2];
  edge in[4];
  add_inputs(&g, &plan, in, 4, *state);
  const edge three = aig_and(&g, aig_and(&g, in[0], in[1]), in[2]);
  const lane_root first = {aig_and(&g, in[2], in[3]), PHASE_TERMINAL, PHASE_TERMINAL, SLOT_FALSE};
  const lane_root last = {three, PHASE_NEXT, PHASE_NEXT, SLOT_FALSE};
  vec_push(*state, &plan.roots, first);
  vec_push(*state, &plan.roots, last);
  lane_program_build(&p, &plan, true, rows, *state, NULL);
  assert_int_equal(p.phase_end[PHASE_TERMINAL], 1);
  assert_int_equal(p.phase_end[PHASE_LEGAL], 1);
  assert_int_equal(p.phase_end[PHASE_NEXT], 2);
}

static void what_goals_share_with_later_phases_is_made_before_them(void **state) {
  aig g;
  lane_plan plan = {.g = &g};
  lane_program p;
  lane_row rows[2];
  edge in[4];
  add_inputs(&g, &plan, in, 4, *state);
  const edge shared = aig_xor(&g, aig_xor(&g, in[0], in[1]), in[2]);
  const lane_root goal = {shared, PHASE_GOALS, PHASE_GOALS, SLOT_FALSE};
  const lane_root next = {aig_and(&g, shared, in[3]), PHASE_NEXT, PHASE_NEXT, SLOT_FALSE};
  vec_push(*state, &plan.roots, goal);
  vec_push(*state, &plan.roots, next);
  lane_program_build(&p, &plan, true, rows, *state, NULL);
  assert_int_equal(p.phase_end[PHASE_TERMINAL], 1);
  assert_int_equal(p.phase_end[PHASE_GOALS], 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      base_test(straight_programs_compute_the_graph),
      base_test(straight_programs_in_runs_compute_the_graph),
      base_test(loops_compute_the_least_solution),
      base_test(loops_in_runs_compute_the_least_solution),
      base_test(slots_are_used_again),
      base_test(a_phase_has_only_what_it_is_asked_for),
      base_test(what_goals_share_with_later_phases_is_made_before_them),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
