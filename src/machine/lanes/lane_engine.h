/* Runs operations on rows, with the vectors that the processor has.  All engines give the same
   results, bit for bit. */
#ifndef TABIA_MACHINE_LANES_LANE_ENGINE_H
#define TABIA_MACHINE_LANES_LANE_ENGINE_H

#include "machine/lanes/lane_program.h"

/* Random bits: 64 lanes have a xoroshiro128++ generator together (Blackman and Vigna, 'Scrambled
   linear pseudorandom number generators'). */
typedef struct lane_random {
  bundle_row low, high;
} lane_random;

void lane_random_init(lane_random *r, uint64_t seed, uint64_t stream);

typedef struct lane_player lane_player;
typedef struct lane_rollouts lane_rollouts;

/* Moves to be drawn: one for each lane, of those whose bits are set in its words. */
typedef struct lane_pick {
  const uint64_t *words; /* words[block * LANES + lane]: moves block * BLOCK_ROWS and behind */
  uint32_t blocks;
  uint32_t lanes;
  uint64_t random,
      random_step;  /* what the random word of lane 0 is made of, and the step to the next lane */
  uint32_t *picked; /* picked[lane * stride]; MOVE_NONE: no bit is set */
  uint32_t stride;
} lane_pick;

typedef struct lane_engine {
  const char *name;
  bool (*is_supported)(void);
  void (*run)(const lane_op *op, const lane_op *end, bundle_row *rows);
  /* The steps of random play (lane_player.h), in this order. */
  void (*open_games)(lane_player *p, uint64_t step);
  void (*end_games)(lane_player *p);
  void (*make_moves)(lane_player *p);
  void (*latch_next)(lane_player *p);
  /* As bundle_draw says. */
  void (*pick)(const lane_pick *p);
  /* values[lane] = value in some lanes of LANES. */
  void (*assign)(const bundle_row *lanes, int32_t value, int32_t *values);
  /* Of games from many positions (lane_rollouts.h): takes the goals where games have ended, and
     returns true if any goes on; makes a step. */
  bool (*rollout_end)(lane_rollouts *x);
  void (*rollout_step)(lane_rollouts *x);
} lane_engine;

/* From the fastest to the slowest; ended by NULL.  The last one always works. */
extern const lane_engine *const lane_engines[];

/* The fastest that works here. */
const lane_engine *lane_engine_best(void);

#endif
