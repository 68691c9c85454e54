/* Where the values of a step are kept, and which of them are recomputed instead. */
#ifndef TABIA_MACHINE_GPU_GPU_PLAN_H
#define TABIA_MACHINE_GPU_GPU_PLAN_H

#include "machine/gpu/gpu_shape.h"
#include "machine/gpu/gpu_spill.h"

/* The cost of a step, with accesses to memory counted as operations of the same time. */
uint64_t gpu_plan_cost(const gpu_step *s, const gpu_spill *plan);

/* Plans the step *s; where some of its values do not fit into registers, *s becomes a step that
   does the same with fewer accesses to memory.  False: the budget is spent. */
bool gpu_plan(const gpu_step **s, gpu_spill *plan, const gpu_shape *shape, arena *keep,
              budget *limits);

#endif
