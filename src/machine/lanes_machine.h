/* Bundles of 512 games on the circuit, one bit each.

   Through the common interface it answers for one state, as every machine does; what it is for is
   random play and many states at once (below). */
#ifndef TABIA_MACHINE_LANES_MACHINE_H
#define TABIA_MACHINE_LANES_MACHINE_H

#include "machine/lane_player.h"
#include "machine/lane_steps.h"
#include "machine/machine.h"

extern const machine_ops lanes_machine;

static inline bool machine_is_lanes(const machine *m) { return m->ops == &lanes_machine; }

const grounded *lanes_grounded(const machine *m);

/* A player of random games, for one thread; it lives in `keep`. */
lane_player *lanes_player_new(const machine *m, lane_net_kind kind, arena *keep);

/* Many states at once, for one thread; their rows live in `keep`. */
void lanes_steps_init(lane_steps *s, const machine *m, arena *keep);

/* How many games a part of work should have: a function of the game alone. */
uint64_t lanes_part_size(const machine *m);

#endif
