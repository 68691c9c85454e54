/* Latches get their initial value where a game begins.

   Clearing a latch adds one condition. If a latch is a disjunction of conjunctions, the condition
   can be added to a factor of each of them; a factor that many latches share needs it only once.
   This is done if it takes fewer conjunctions in total. */
#ifndef TABIA_MACHINE_LANES_LANE_RESET_H
#define TABIA_MACHINE_LANES_LANE_RESET_H

#include "machine/lanes/aig.h"

typedef struct lane_reset {
  edge next; /* in: its next value; out: its first one where `gone` holds */
  bool initially;
} lane_reset;

void lane_reset_all(aig *g, lane_reset *latches, uint32_t count, edge gone, arena *scratch);

#endif
