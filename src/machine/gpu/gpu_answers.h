/* A batch of games on a device: what gpu_batch.c launches, and the answers of gpu_answers.c. */
#ifndef TABIA_MACHINE_GPU_GPU_ANSWERS_H
#define TABIA_MACHINE_GPU_GPU_ANSWERS_H

#include "machine/gpu/gpu_batch.h"
#include "machine/gpu/ptx_batch.h"

/* A kernel for any game. */
typedef enum plain_kernel {
  GATHER,
  SPREAD_TO_BITS,
  SPREAD_TO_BYTES,
  TELL,
  DRAW,
  MIX,
  PLAIN_KERNELS
} plain_kernel;

/* What is written after each change. */
typedef struct batch_output {
  device_answer what;
  uint32_t role;
  device_layout layout;
  device_buffer at;
  uint64_t rows; /* where the rows of the answer are listed, on the device */
  uint32_t count;
} batch_output;

typedef struct gpu_batch {
  device_batch base;
  const machine *m;
  const grounded *g;
  gpu_device *d;
  arena *keep;
  arena *guard; /* gives back what is on the device */
  lane_net net;
  batch_rows rows;
  uint32_t words;
  gpu_step steps[2]; /* advance and judge */
  ptx_program programs[2];
  gpu_kernel kernels[2], plain[PLAIN_KERNELS];
  uint64_t planes, scratch[2];
  uint64_t fill_start, fill_put; /* what mix reads */
  uint64_t goal_table, told[4];  /* what tell reads, and goals, rewards, terminated, illegal */
  uint64_t drawn, chance;        /* what draw writes: of players, and of chance */
  VEC(uint64_t) held;            /* all memory of the device */
  VEC(batch_output) outputs;
  batch_output *choices; /* by role: its legal moves as bits, for draw */
} gpu_batch;

static inline bool batch_has_chance(const gpu_batch *x) {
  return x->g->nature < x->g->circuit.roles.count;
}

static inline uint32_t batch_players(const gpu_batch *x) {
  return x->g->circuit.roles.count - batch_has_chance(x);
}

/* ---- gpu_batch.c ---- */

/* Memory of the device, which goes with the batch; with a copy of these bytes.  0: there is none. */
uint64_t batch_hold(gpu_batch *x, size_t size);
uint64_t batch_hold_copy(gpu_batch *x, const void *from, size_t size);

/* Writes an answer by game; goals, rewards and flags, if they have been asked for. */
bool batch_spread(gpu_batch *x, const batch_output *o);
bool batch_tell(gpu_batch *x);

/* ---- gpu_answers.c ---- */

/* Numbers of a list of rows: spread reads to the end of the last chunk. */
static inline size_t batch_list_room(uint32_t count) { return ((size_t)count + 31) / 32 * 32; }

/* A list of rows from `first` on. */
uint32_t *batch_list_rows(gpu_batch *x, uint32_t first, uint32_t count, arena *keep);

/* An answer that is written when batch_spread is called.  False: the device has no memory. */
bool batch_make_output(gpu_batch *x, device_answer what, uint32_t role, device_layout layout,
                       batch_output *o);

/* The buffer of an answer, which is written from now on after each change. */
bool batch_spread_new(gpu_batch *x, device_answer what, uint32_t role, device_layout layout,
                      device_buffer *out);
/* The same for goals, rewards and flags. */
bool batch_find_told(gpu_batch *x, device_answer what, device_buffer *out);

#endif
