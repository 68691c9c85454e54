/* A lane program with one thing broken is noticed, and is sound again once that is mended. */
#include "machine/lanes/lane_program_sound.h"

#include "base/base_fixture.h"
#include "machine/lanes/lane_plan_fixture.h"

typedef struct built_program {
  lane_program p;
  uint32_t inputs;
} built_program;

static built_program built(uint64_t seed, uint32_t components, arena *keep) {
  rng r = rng_new(83, seed);
  const random_plan *x = random_plan_new(200, components, &r, keep);
  built_program b = {.inputs = x->plan.inputs.count};
  lane_row *rows = arena_new_array(keep, lane_row, x->plan.roots.count);
  assert_true(lane_program_build(&b.p, &x->plan, seed % 2, rows, keep, NULL));
  return b;
}

/* One with loops that have operations. */
static built_program built_with_loop(arena *keep, lane_loop **loop) {
  for (uint64_t seed = 0;; seed++) {
    const built_program b = built(seed, 3, keep);
    for (uint32_t i = 0; i < b.p.loops.count; i++) {
      *loop = &b.p.loops.items[i];
      if ((*loop)->end > (*loop)->first + 1) return b;
    }
  }
}

static void built_programs_are_sound(void **state) {
  for (uint64_t seed = 0; seed < 100; seed++) {
    const built_program b = built(seed, seed % 5, *state);
    assert_true(lane_program_is_sound(&b.p, b.inputs));
  }
}

static void assert_noticed(const built_program *b, uint32_t *number, uint32_t wrong) {
  const uint32_t right = *number;
  *number = wrong;
  assert_false(lane_program_is_sound(&b->p, b->inputs));
  *number = right;
  assert_true(lane_program_is_sound(&b->p, b->inputs));
}

static void slots_that_there_are_not(void **state) {
  built_program b = built(1, 0, *state);
  assert_noticed(&b, &b.p.ops.items[0].in[0], b.p.slot_count);
  assert_noticed(&b, &b.p.ops.items[0].out, b.p.slot_count);
  assert_noticed(&b, &b.p.ops.items[0].out, SLOT_FALSE);
}

static void rows_that_are_read_before_they_are_written(void **state) {
  built_program b = built(1, 0, *state);
  assert_true(b.p.slot_count > b.inputs + 1);
  assert_noticed(&b, &b.p.ops.items[0].in[0], b.p.slot_count - 1);
}

static void phases_out_of_order(void **state) {
  built_program b = built(1, 0, *state);
  assert_noticed(&b, &b.p.phase_end[PHASE_TERMINAL], b.p.ops.count + 1);
  assert_noticed(&b, &b.p.phase_end[PHASE_NEXT], b.p.ops.count - 1);
}

static void loops_outside_of_their_phase(void **state) {
  lane_loop *loop;
  built_program b = built_with_loop(*state, &loop);
  assert_noticed(&b, &loop->end, b.p.ops.count + 1);
  assert_noticed(&b, &loop->first, loop->end + 1);
  assert_noticed(&b, &loop->first_place, b.p.places.count);
  assert_noticed(&b, &b.p.places.items[loop->first_place].place, b.inputs + 1);
  assert_noticed(&b, &b.p.places.items[loop->first_place].definition, b.p.slot_count);
}

/* A local row does not reach its slot, from where a loop takes the definitions. */
static void local_rows_that_are_read_elsewhere(void **state) {
  lane_loop *loop;
  built_program b = built_with_loop(*state, &loop);
  bool is_noticed = false;
  for (uint32_t i = loop->first; i < loop->end; i++) {
    lane_op *op = &b.p.ops.items[i];
    if (op->is_local) continue;
    op->is_local = true;
    is_noticed |= !lane_program_is_sound(&b.p, b.inputs);
    op->is_local = false;
  }
  assert_true(is_noticed);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      base_test(built_programs_are_sound),
      base_test(slots_that_there_are_not),
      base_test(rows_that_are_read_before_they_are_written),
      base_test(phases_out_of_order),
      base_test(loops_outside_of_their_phase),
      base_test(local_rows_that_are_read_elsewhere),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
