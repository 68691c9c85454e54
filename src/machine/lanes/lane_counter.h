/* Random games whose draws are a function of the seed, the part and the step: Philox as a counter
   (base/philox.h).  Every machine that plays a part plays exactly the same games: this one and
   `gpu`.

   A part is played in independent words of 32 lanes: word w has a share of the games of the part,
   starts one in every lane, and another where one is over while it has games left.  Random row r of
   word w at a step is

     philox(step, r / 4 * COUNTER_WORDS + w, part, part >> 32; key: seed).words[r % 4]

   where the rows of all draws are numbered consecutively.  A lane whose draw is biased draws again,
   with 32 bits at a time, until the draw is not biased; attempt a of draw d in lane l of the part
   uses

     philox(step, COUNTER_REDRAWS | a << 21 | d << 9 | l, part, part >> 32; key: seed).words[0] */
#ifndef TABIA_MACHINE_LANES_LANE_COUNTER_H
#define TABIA_MACHINE_LANES_LANE_COUNTER_H

#include "base/philox.h"
#include "machine/lanes/lane_player.h"

enum {
  COUNTER_LANES = 32,
  COUNTER_WORDS = LANES / COUNTER_LANES,
  COUNTER_DRAW_SHIFT = 9,
  COUNTER_ATTEMPT_SHIFT = 21
};
#define COUNTER_REDRAWS UINT32_C(0x80000000)

/* Games of a part that a word starts. */
static inline uint64_t lane_counter_share(uint64_t starts, uint32_t word) {
  return starts / COUNTER_WORDS + (word < starts % COUNTER_WORDS);
}

/* Fills the random rows of all draws. */
void lane_counter_fill(lane_player *p);

/* A number below `count`, which is more than 0, for a lane whose draw was biased. */
uint32_t lane_counter_below(const lane_player *p, uint32_t draw, uint32_t lane, uint32_t count);

/* Leaves of the lanes in *vacant those in which a game begins. */
void lane_counter_open(lane_player *p, bundle_row *vacant);

#endif
