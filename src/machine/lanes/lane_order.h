/* The order of operations: the phase of each, the loops of those that are repeated, and the
   sequence.

   Operations are ordered depth first, the larger operand before the smaller, and an operation that
   is the last to read a row comes as early as it can: so few rows are live at a time, and most of
   them can stay in registers. */
#ifndef TABIA_MACHINE_LANES_LANE_ORDER_H
#define TABIA_MACHINE_LANES_LANE_ORDER_H

#include "base/bitset.h"
#include "machine/lanes/lane_program.h"

typedef struct lane_order {
  id_vec nodes; /* of the plan's graph, in the order of their operations */
  uint32_t phase_end[LANE_PHASES];
  lane_loop_vec loops;
  lane_place_vec places; /* nodes where a program has slots */
  bitset boundaries;     /* operations with which a stretch ends: the first behind it */
} lane_order;

/* `in_runs`: operations of one kind are brought together, for an interpreter.  False: the budget is
   spent. */
bool lane_order_find(lane_order *o, const lane_plan *plan, const table_cover *cover, bool in_runs,
                     arena *keep, budget *limits);

/* The end of the stretch that an operation is in. */
uint32_t lane_order_stretch_end(const lane_order *o, uint32_t at);

#endif
