/* Latches that go back to their first value where a game begins.

   To clear a latch means to ask one more condition.  Where a latch is a disjunction of conjunctions
   the condition can be asked of a factor of each of them; factors that many latches share are asked
   once for all.  That is done where it takes fewer conjunctions all together. */
#ifndef TABIA_MACHINE_LANES_LANE_RESET_H
#define TABIA_MACHINE_LANES_LANE_RESET_H

#include "machine/lanes/aig.h"

typedef struct lane_reset {
  edge next; /* in: its next value; out: its first one where `gone` holds */
  bool initially;
} lane_reset;

void lane_reset_all(aig *g, lane_reset *latches, uint32_t count, edge gone, arena *scratch);

#endif
