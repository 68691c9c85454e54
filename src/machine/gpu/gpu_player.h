/* Random games on a device: many parts at once, by counter, the same games as on `lanes`. */
#ifndef TABIA_MACHINE_GPU_GPU_PLAYER_H
#define TABIA_MACHINE_GPU_GPU_PLAYER_H

#include "machine/bulk_play.h"
#include "machine/gpu/gpu_code.h"

/* A game of more steps than this cannot be counted by length. */
enum { GPU_STEPS_MAX = (1 << 20) - 1 };

/* What is known after parts have been played; `sums` are those of ptx_sum and games by counter. */
typedef struct gpu_result {
  uint64_t *sums;
  uint64_t *lengths;
  uint32_t length_count;
} gpu_result;

/* Plays parts with code that is ready; the flips are by latch of the net, or NULL.  False: as
   gpu_code_make. */
bool gpu_play(const gpu_code *c, const bulk_parts *parts, const uint32_t *flips, gpu_result *r,
              arena *keep, budget *b);

/* Games that have a lane each, from the first lane of a part on. */
typedef struct gpu_lanes {
  uint64_t seed, first_part, max_steps;
  uint32_t begin,
      end; /* lanes that have games, counted in words of PTX_LANES and tiles of 32 words */
  const uint32_t *flips; /* by tile, latch of the net, and word */
  uint32_t *results;     /* by tile, goal of g->goals, and word: lanes that ended where it holds */
} gpu_lanes;

/* Plays them with the code of START_OF_EACH.  False: as gpu_code_make; where the budget is spent,
   results are of games that have come to an end. */
bool gpu_play_each(const gpu_code *c, const gpu_lanes *l, budget *b);

static inline uint32_t gpu_tiles(const gpu_lanes *l) { return (l->end + 1023) / 1024; }

#endif
