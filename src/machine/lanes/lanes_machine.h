/* Bundles of 512 games on the circuit, one bit each.

   Through the common interface it answers for one state, as every machine does; what it is for is
   random play and many states at once (below). */
#ifndef TABIA_MACHINE_LANES_LANES_MACHINE_H
#define TABIA_MACHINE_LANES_LANES_MACHINE_H

#include "machine/circuit_positions.h"
#include "machine/lanes/lane_player.h"
#include "machine/lanes/lane_rollouts.h"
#include "machine/lanes/lane_steps.h"
#include "machine/machine.h"

extern const machine_ops lanes_machine;

/* What follows makes a net when it is first asked for, which may take longer than the budget has
   left. */

/* A player of random games, for one thread; it lives in `keep`.  NULL: the budget is spent. */
lane_player *lanes_player_new(const machine *m, lane_net_kind kind, arena *keep, budget *b);

/* The same for games from many positions. */
lane_rollouts *lanes_rollouts_new(const machine *m, arena *keep, budget *b);

/* NULL: the budget is spent. */
const lane_stepper *lanes_stepper(const machine *m, budget *b);

/* How many games a part should have.  0: the budget is spent. */
uint64_t lanes_part_size(const machine *m, budget *b);

#endif
