/* Running operations on rows, with whatever vectors the processor has.  All engines give the same
   results, bit for bit. */
#ifndef TABIA_MACHINE_LANES_LANE_ENGINE_H
#define TABIA_MACHINE_LANES_LANE_ENGINE_H

#include "machine/lanes/lane_program.h"

enum { LANES = 512, ROW_WORDS = LANES / 64 };

/* One bit for each lane. */
typedef struct bundle_row {
  _Alignas(64) uint64_t words[ROW_WORDS];
} bundle_row;

/* Zeroed memory that is aligned to the size of a row. */
void *lane_alloc(arena *keep, size_t size);

/* Random bits: 64 lanes have a xoroshiro128++ generator together (Blackman and Vigna, 'Scrambled
   linear pseudorandom number generators'). */
typedef struct lane_random {
  bundle_row low, high;
} lane_random;

void lane_random_init(lane_random *r, uint64_t seed, uint64_t stream);

typedef struct lane_player lane_player;

typedef struct lane_engine {
  const char *name;
  bool (*is_supported)(void);
  void (*run)(const lane_op *op, const lane_op *end, bundle_row *rows);
  /* The steps of random play (lane_player.h), in this order. */
  void (*open_games)(lane_player *p, uint64_t step);
  void (*end_games)(lane_player *p);
  void (*make_moves)(lane_player *p);
  void (*latch_next)(lane_player *p);
} lane_engine;

/* From the fastest to the slowest; ended by NULL.  The last one always works. */
extern const lane_engine *const lane_engines[];

/* The fastest that works here. */
const lane_engine *lane_engine_best(void);

#endif
