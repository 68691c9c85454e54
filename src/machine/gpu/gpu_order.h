/* The order of a step's instructions: fewer values live at one time.

   An instruction that frees as many values as it gives comes as soon as all that it reads is there;
   rows of a batch are read where they are needed first.  Loops, and what has an effect beside its
   values, stay in their order. */
#ifndef TABIA_MACHINE_GPU_GPU_ORDER_H
#define TABIA_MACHINE_GPU_GPU_ORDER_H

#include "machine/gpu/gpu_step.h"

void gpu_step_order(gpu_step *s);

#endif
