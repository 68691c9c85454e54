/* The order of a step's instructions: fewer values live at one time.

   An instruction that frees as many values as it gives is moved up to where its operands are ready;
   rows of a batch are read where they are first needed.  Loops, and instructions with other
   effects, stay in their order. */
#ifndef TABIA_MACHINE_GPU_GPU_ORDER_H
#define TABIA_MACHINE_GPU_GPU_ORDER_H

#include "machine/gpu/gpu_step.h"

void gpu_step_order(gpu_step *s);

#endif
