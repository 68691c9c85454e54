/* How a step is laid out on a device: threads of a block, registers, shared memory. */
#ifndef TABIA_MACHINE_GPU_GPU_SHAPE_H
#define TABIA_MACHINE_GPU_GPU_SHAPE_H

#include "machine/gpu/gpu_step.h"

typedef struct gpu_shape {
  uint32_t threads;      /* of a block */
  uint32_t registers;    /* values in registers at most; UINT32_MAX: left to the assembler */
  uint32_t shared_slots; /* words of each thread in shared memory, for other values */
  uint32_t barrier; /* operations from one barrier to the next, which keep the threads of a block
                       near each other, so that they share what is fetched; 0: there is none */
} gpu_shape;

/* The shape for a step with `live` values at one time, on a device whose blocks have
   `shared_bytes`, of which counters take some words. */
gpu_shape gpu_shape_for(uint32_t live, uint32_t shared_bytes, uint32_t counter_words);

/* Makes blocks smaller as long as each of them has a multiprocessor for itself, so that few words
   do not leave most of the device idle; a thread then has more of the shared memory. */
void gpu_shape_for_words(gpu_shape *s, uint32_t words, uint32_t multiprocessors);

#endif
