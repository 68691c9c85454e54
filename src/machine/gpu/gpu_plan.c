#include "machine/gpu/gpu_plan.h"

#include "machine/gpu/gpu_again.h"

/* Cards that were measured spend their time on memory behind the shared one: 0.6 * 10^12 words a
   second, while they could make 15 * 10^12 operations.  A part of these is left for instructions
   that have to be fetched. */
enum { COST_FAR = 16, COST_NEAR = 2 };

uint64_t gpu_plan_cost(const gpu_step *s, const gpu_spill *plan) {
  uint64_t cost = 0;
  for (uint32_t i = 0; i < plan->actions.count; i++) {
    const spill_action a = plan->actions.items[i];
    if (a.kind == SPILL_RUN)
      cost += s->all.items[a.what].kind == GPU_TABLE;
    else
      cost += plan->slots[a.what].space == SPILL_SHARED ? COST_NEAR : COST_FAR;
  }
  return cost;
}

/* Tries some windows, each on what the one before has led to, and takes what costs less. */
static bool improve(const gpu_step **s, gpu_spill *plan, const gpu_shape *shape, arena *keep,
                    budget *limits) {
  static const gpu_window windows[] = {{200, 4, 6}, {400, 6, 6}, {800, 8, 6}};
  uint64_t least = gpu_plan_cost(*s, plan);
  for (uint32_t i = 0; i < sizeof windows / sizeof *windows; i++) {
    gpu_step *again = arena_alloc_zero(keep, sizeof *again);
    gpu_spill other;
    gpu_step_again(again, *s, plan, windows[i], keep);
    if (!gpu_spill_plan(&other, again, shape->registers, shape->shared_slots, keep, limits))
      return false;
    const uint64_t cost = gpu_plan_cost(again, &other);
    if (cost >= least) continue;
    least = cost;
    *s = again;
    *plan = other;
  }
  return true;
}

bool gpu_plan(const gpu_step **s, gpu_spill *plan, const gpu_shape *shape, arena *keep,
              budget *limits) {
  return gpu_spill_plan(plan, *s, shape->registers, shape->shared_slots, keep, limits) &&
         (shape->registers == UINT32_MAX || improve(s, plan, shape, keep, limits));
}
