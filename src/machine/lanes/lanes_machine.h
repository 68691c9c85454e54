/* Bundles of 512 games on the circuit, one bit each.

   Through the common interface it answers for one state, like every machine; it is made for random
   play and for many states at once (below). */
#ifndef TABIA_MACHINE_LANES_LANES_MACHINE_H
#define TABIA_MACHINE_LANES_LANES_MACHINE_H

#include "machine/circuit_positions.h"
#include "machine/lanes/lane_player.h"
#include "machine/lanes/lane_rollouts.h"
#include "machine/lanes/lane_steps.h"
#include "machine/machine.h"

extern const machine_ops lanes_machine;

/* A machine that does more with its nets has a struct of its own, which starts with this. */
typedef struct lanes {
  grounded_machine common;
  const lane_engine *engine;
  struct net_store *store;
} lanes;

/* Opens a struct of `size` bytes, zero behind the common start.  NULL: `d` says why. */
machine *lanes_open(const machine_ops *ops, size_t size, const machine_source *source, budget *b,
                    diag_sink *d);

/* Calls of machine_ops. */
void lanes_close(machine *m);
bool lanes_prepare(const machine *m, machine_bulk bulk, budget *b);
machine_workspace *lanes_workspace_new(const machine *m, budget *b);
void lanes_workspace_free(machine_workspace *w);
bool lanes_terminal(const machine *m, machine_workspace *w, const void *position);
uint32_t lanes_legal(const machine *m, machine_workspace *w, const void *position, uint32_t role,
                     move_id *moves, uint32_t capacity);
uint32_t lanes_goals(const machine *m, machine_workspace *w, const void *position, uint32_t role,
                     int32_t *values, uint32_t capacity);
void lanes_step(const machine *m, machine_workspace *w, const void *position, const move_id *joint,
                void *next);
uint32_t lanes_sees(const machine *m, machine_workspace *w, const void *position,
                    const move_id *joint, uint32_t role, percept_id *percepts, uint32_t capacity);

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
uint64_t lanes_part_size_of(const lane_net *n); /* that plays */

#endif
