/* Which values of a step are in registers when, and where the others are.

   A value whose operation reads only registers at that point is computed again rather than loaded;
   a value is stored only if it is loaded later.

   The step is a cycle.  When no register is left, the value whose next use is farthest is evicted
   (Belady), counted over the end of the step into the next one.  A value that is not in a register
   is in a slot of the memory that a block of threads shares, or else of global memory.  Slots in
   shared memory go to the values that are loaded most often for the time that they need one.

   A register has the number of its value, also when the value is loaded again, so that at the head
   of a loop only the set of values in registers matters.  It is the same in each round: what was in
   registers at first is there when the round ends. */
#ifndef TABIA_MACHINE_GPU_GPU_SPILL_H
#define TABIA_MACHINE_GPU_GPU_SPILL_H

#include "machine/gpu/gpu_step.h"

typedef enum spill_kind { SPILL_RUN, SPILL_LOAD, SPILL_STORE } spill_kind;

typedef struct spill_action {
  spill_kind kind;
  uint32_t what; /* instruction, which may have been run before; or value */
} spill_action;

/* Where a value is when it is in no register: in memory of its thread; in memory that a block
   shares; or in the row of the batch that it was read from or written to. */
typedef enum spill_space { SPILL_GLOBAL, SPILL_SHARED, SPILL_BATCH } spill_space;

typedef struct spill_slot {
  spill_space space;
  uint32_t number;
} spill_slot;

typedef struct gpu_spill {
  arena *keep;
  VEC(spill_action) actions;
  spill_slot *slots; /* by value; of those that are loaded or stored */
  /* by latch */
  bool *is_held;        /* it is in its register at the beginning of a step, else in its slot */
  bool *is_in_register; /* its next value is in a register at the end of the step */
  bool *is_home;        /* its next value has been stored in the latch's own slot */
  uint32_t shared_count, global_count; /* slots */
} gpu_spill;

/* `registers`: values in registers at one time, at least GPU_REGISTERS_LEAST and what the largest
   instruction reads and writes; UINT32_MAX: all are.  False: the budget is spent. */
enum { GPU_REGISTERS_LEAST = 64 };
bool gpu_spill_plan(gpu_spill *x, const gpu_step *s, uint32_t registers, uint32_t shared,
                    arena *keep, budget *limits);

#endif
