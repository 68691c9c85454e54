/* Recomputation: values that are computed again where a plan would load them.

   A step is cut into windows.  In each of them the plan (gpu_spill.h) loads values that were made
   before it.  Most can be computed from fewer others by some operations.  The smallest set of
   values from which all can be computed is a minimal cut of the graph of operations, as deep as is
   allowed.  Values of the cut are loaded, and the others computed from them. */
#ifndef TABIA_MACHINE_GPU_GPU_AGAIN_H
#define TABIA_MACHINE_GPU_GPU_AGAIN_H

#include "machine/gpu/gpu_spill.h"

typedef struct gpu_window {
  uint32_t length; /* instructions */
  uint32_t depth;  /* operations that may lie between what is loaded and what is wanted */
  uint32_t price;  /* operations that may be made again for each load saved */
} gpu_window;

/* *out is the step with recomputation; the plan is that of `s`.  Both share what does not
   change. */
void gpu_step_again(gpu_step *out, const gpu_step *s, const gpu_spill *plan, gpu_window window,
                    arena *keep);

#endif
