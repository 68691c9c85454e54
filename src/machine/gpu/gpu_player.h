/* Random games on a device: many parts at once, by counter, the same games as on `lanes`. */
#ifndef TABIA_MACHINE_GPU_GPU_PLAYER_H
#define TABIA_MACHINE_GPU_GPU_PLAYER_H

#include "machine/bulk_play.h"
#include "machine/gpu/gpu_device.h"
#include "machine/gpu/ptx_writer.h"

/* A game of more steps than this cannot be counted by length. */
enum { GPU_STEPS_MAX = (1 << 20) - 1 };

/* A step made ready to run on a device. */
typedef struct gpu_code {
  gpu_device *device;
  gpu_step step;
  ptx_program program;
  gpu_kernel kernel;
  bool is_ready;
} gpu_code;

/* False: the budget is spent, or the device fails and its message says why.  What is there must be
   given back with gpu_code_free. */
bool gpu_code_make(gpu_code *c, gpu_device *device, const gpu_step *step, gpu_shape shape,
                   arena *keep, budget *b);
void gpu_code_free(gpu_code *c);

/* What is known after parts have been played; `sums` are those of ptx_sum and games by counter. */
typedef struct gpu_result {
  uint64_t *sums;
  uint64_t *lengths;
  uint32_t length_count;
} gpu_result;

/* Plays parts; the flips are by latch of the net, or NULL.  False: as gpu_code_make. */
bool gpu_play(const gpu_code *c, const bulk_parts *parts, const uint32_t *flips, gpu_result *r,
              arena *keep, budget *b);

/* Words that a device plays at one time. */
static inline uint64_t gpu_words_at_once(const gpu_code *c) {
  return (uint64_t)c->kernel.blocks * c->kernel.threads;
}

#endif
