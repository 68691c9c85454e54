/* A step of play as kernels of a device: planned, written and compiled in a thread of its own.

   Large steps are compiled twice: quickly first, then with full optimisation.  Both kernels come
   from the same text and leave the same state in memory, so that one can continue from the other
   between launches. */
#ifndef TABIA_MACHINE_GPU_GPU_CODE_H
#define TABIA_MACHINE_GPU_GPU_CODE_H

#include "machine/gpu/gpu_device.h"
#include "machine/gpu/ptx_writer.h"

typedef struct gpu_compiler gpu_compiler;

typedef struct gpu_code {
  gpu_device *device;
  gpu_step step;
  ptx_program program;
  gpu_compiler *compiler;
} gpu_code;

/* Must be released by gpu_code_free, which waits for the compiler; until then `keep` belongs to the
   thread. */
void gpu_code_begin(gpu_code *c, gpu_device *device, const gpu_step *step, gpu_shape shape,
                    arena *keep);
void gpu_code_free(gpu_code *c);

typedef enum gpu_progress { CODE_COMPILES, CODE_IS_READY, CODE_FAILED } gpu_progress;

/* Waits for the compiler, for at most this time; with CODE_FAILED the message of the device says
   why. */
gpu_progress gpu_code_wait(const gpu_code *c, double seconds);

/* The best kernel that there is; there must be one. */
const gpu_kernel *gpu_code_kernel(const gpu_code *c);

/* gpu_code_begin, and waits.  False: the message of the device says why it failed. */
bool gpu_code_make(gpu_code *c, gpu_device *device, const gpu_step *step, gpu_shape shape,
                   arena *keep);

/* Words that a device plays at one time. */
static inline uint64_t gpu_words_at_once(const gpu_code *c) {
  return (uint64_t)gpu_code_kernel(c)->blocks * gpu_code_kernel(c)->threads;
}

#endif
