#include "machine/gpu/gpu_plan.h"

#include "machine/gpu/ptx_writer.h"
#include "machine/lane_fixture.h"

/* A game's step, and its plan without values that are computed again. */
typedef struct planned {
  grounded g;
  lane_net net;
  gpu_step step;
  gpu_spill plan;
  gpu_shape shape;
} planned;

static planned *plan_game(machine_fixture *f, const char *name) {
  const machine_source from = {.program = &f->p};
  planned *x = arena_alloc_zero(f->keep, sizeof *x);
  open_game(f, builtin_text(f, name));
  assert_true(grounded_open(&x->g, &from, &f->b, &f->d));
  assert_true(lane_net_build(&x->net, &x->g.circuit, NET_PLAYS, false, f->keep, NULL));
  gpu_step_make(&x->step, &x->g, &x->net, START_OF_RULES, f->keep);
  x->shape = gpu_shape_for(gpu_step_live(&x->step), 227 * 1024, ptx_counter_words(&x->step));
  assert_true(
      gpu_spill_plan(&x->plan, &x->step, x->shape.registers, x->shape.shared_slots, f->keep, NULL));
  return x;
}

static uint32_t far_accesses(const gpu_spill *plan) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < plan->actions.count; i++) {
    const spill_action a = plan->actions.items[i];
    count += a.kind != SPILL_RUN && plan->slots[a.what].space == SPILL_GLOBAL;
  }
  return count;
}

/* A value is loaded only from where it has been put, or where it is from the start. */
static void assert_loads_follow_stores(machine_fixture *f, const gpu_step *s,
                                       const gpu_spill *plan) {
  bool *is_there = arena_zero_array(f->keep, bool, s->value_count);
  for (uint32_t i = 0; i < s->latch_count; i++) is_there[s->latch_of[i]] = !plan->is_held[i];
  for (uint32_t i = 0; i < plan->actions.count; i++) {
    const spill_action a = plan->actions.items[i];
    if (a.kind == SPILL_STORE) is_there[a.what] = true;
    if (a.kind == SPILL_LOAD) assert_true(is_there[a.what]);
  }
}

static void large_games_ask_for_less_memory(void **state) {
  static const char *const games[] = {"reversi", "amazons-6x6", "english-draughts", "chess"};
  static const uint32_t percent[] = {50, 50, 75, 98}; /* of the accesses that there were */
  machine_fixture *f = *state;
  for (uint32_t i = 0; i < 4; i++) {
    planned *x = plan_game(f, games[i]);
    const gpu_step *s = &x->step;
    gpu_spill plan;
    assert_true(gpu_plan(&s, &plan, &x->shape, f->keep, NULL));
    assert_true(gpu_plan_cost(s, &plan) < gpu_plan_cost(&x->step, &x->plan));
    assert_true(far_accesses(&plan) * 100 < far_accesses(&x->plan) * percent[i]);
    assert_loads_follow_stores(f, s, &plan);
    grounded_close(&x->g);
  }
}

static void what_has_room_stays_as_it_is(void **state) {
  machine_fixture *f = *state;
  planned *x = plan_game(f, "connect-four");
  const gpu_step *s = &x->step;
  gpu_spill plan;
  assert_true(gpu_plan(&s, &plan, &x->shape, f->keep, NULL));
  assert_ptr_equal(s, &x->step);
  assert_int_equal(plan.actions.count, x->plan.actions.count);
  grounded_close(&x->g);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      a_test(large_games_ask_for_less_memory),
      a_test(what_has_room_stays_as_it_is),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
