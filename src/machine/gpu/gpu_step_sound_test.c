/* A step with one thing broken is noticed, and is sound again once that is mended. */
#include "machine/gpu/gpu_step_sound.h"

#include "machine/gpu/gpu_again.h"
#include "machine/gpu/gpu_shape.h"
#include "machine/lane_fixture.h"

typedef struct made_step {
  grounded g;
  lane_net net;
  gpu_step s;
} made_step;

static made_step *make_step(machine_fixture *f, const char *name, gpu_start start) {
  const machine_source from = {.program = &f->p};
  made_step *x = arena_alloc_zero(f->keep, sizeof *x);
  open_game(f, builtin_text(f, name));
  assert_true(grounded_open(&x->g, &from, &f->b, &f->d));
  assert_true(lane_net_build(&x->net, &x->g.circuit, NET_PLAYS, false, f->keep, NULL));
  gpu_step_make(&x->s, &x->g, &x->net, start, f->keep);
  return x;
}

static gpu_instruction *first_of(const made_step *x, gpu_kind kind) {
  for (uint32_t i = 0; i < x->s.all.count; i++)
    if (x->s.all.items[i].kind == kind) return &x->s.all.items[i];
  fail();
  return NULL;
}

static void assert_noticed(const made_step *x, uint32_t *number, uint32_t wrong) {
  const uint32_t right = *number;
  *number = wrong;
  assert_false(gpu_step_is_sound(&x->s));
  *number = right;
  assert_true(gpu_step_is_sound(&x->s));
}

static void steps_of_games_are_sound(void **state) {
  static const char *const games[] = {"tic-tac-toe", "connect-four", "atari-go-7", "monty-hall"};
  for (uint32_t i = 0; i < sizeof games / sizeof *games; i++)
    for (gpu_start start = START_OF_RULES; start < GPU_STARTS; start++) {
      made_step *x = make_step(*state, games[i], start);
      assert_true(gpu_step_is_sound(&x->s));
      grounded_close(&x->g);
    }
}

static void a_step_is_sound_with_values_computed_again(void **state) {
  machine_fixture *f = *state;
  made_step *x = make_step(f, "reversi", START_OF_RULES);
  gpu_spill plan;
  gpu_step again;
  assert_true(gpu_spill_plan(&plan, &x->s, GPU_REGISTERS_LEAST, 0, f->keep, NULL));
  gpu_step_again(&again, &x->s, &plan, (gpu_window){200, 4, 6}, f->keep);
  assert_int_not_equal(again.value_count, x->s.value_count);
  assert_true(gpu_step_is_sound(&again));
  grounded_close(&x->g);
}

static void values_that_are_not_there_yet(void **state) {
  made_step *x = make_step(*state, "tic-tac-toe", START_OF_RULES);
  const gpu_instruction *it = first_of(x, GPU_TABLE);
  const value_id last = x->s.operands.items[x->s.all.items[x->s.all.count - 1].first_out];
  assert_true(x->s.all.items[x->s.all.count - 1].out_count > 0);
  assert_noticed(x, &x->s.operands.items[it->first_in], last);
  assert_noticed(x, &x->s.operands.items[it->first_in], x->s.value_count);
  assert_noticed(x, &x->s.next_of[0], x->s.value_count);
  grounded_close(&x->g);
}

static void values_that_are_given_twice(void **state) {
  made_step *x = make_step(*state, "tic-tac-toe", START_OF_RULES);
  const gpu_instruction *it = first_of(x, GPU_TABLE);
  assert_noticed(x, &x->s.operands.items[it->first_out], x->s.latch_of[0]);
  assert_noticed(x, &x->s.operands.items[it->first_out], VALUE_FALSE);
  assert_noticed(x, &x->s.latch_of[0], x->s.latch_of[1]);
  grounded_close(&x->g);
}

static void numbers_and_operands_out_of_bounds(void **state) {
  made_step *x = make_step(*state, "tic-tac-toe", START_OF_PART);
  assert_noticed(x, &first_of(x, GPU_GOAL)->number, x->s.counter_count);
  assert_noticed(x, &first_of(x, GPU_REDRAW)->number, x->net.draws.count);
  assert_noticed(x, &first_of(x, GPU_FLIP)->number, x->net.latches.count);
  assert_noticed(x, &first_of(x, GPU_TABLE)->in_count, 2);
  assert_noticed(x, &first_of(x, GPU_GOAL)->first_in, x->s.operands.count);
  grounded_close(&x->g);
}

static void loops_that_do_not_close(void **state) {
  made_step *x = make_step(*state, "atari-go-7", START_OF_RULES);
  gpu_instruction *it = first_of(x, GPU_REPEAT);
  it->kind = GPU_LOOP;
  assert_false(gpu_step_is_sound(&x->s));
  it->kind = GPU_REPEAT;
  assert_noticed(x, &x->s.operands.items[first_of(x, GPU_SETTLE)->first_out], x->s.latch_of[0]);
  grounded_close(&x->g);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      a_test(steps_of_games_are_sound),
      a_test(a_step_is_sound_with_values_computed_again),
      a_test(values_that_are_not_there_yet),
      a_test(values_that_are_given_twice),
      a_test(numbers_and_operands_out_of_bounds),
      a_test(loops_that_do_not_close),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
