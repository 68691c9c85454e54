/* A circuit as clauses, over several steps of play.

   Wires become literals on demand, with everything that they depend on and nothing else.  A latch
   at time t > 0 is its `next` at time t - 1; at time 0 it is free, or as in the initial state.  A
   move that is used adds the clauses that its role makes exactly one move, and that this move is
   legal if it is made.

   A recursive component is encoded as 'place equals definition', which has more models than the
   least one.  So 'no' is always right, and everything proved holds; a 'yes' about a circuit with
   recursion may be wrong, and a line of play must be played to confirm it.  The same holds for
   moves: those that were not used need not be legal, unless the step is required. */
#ifndef TABIA_INDUCT_UNROLL_H
#define TABIA_INDUCT_UNROLL_H

#include "induct/move_groups.h"
#include "sat/sat.h"

typedef struct unrolling unrolling;

/* `from_start`: time 0 is the initial state.  Owns its solver. */
unrolling *unroll_new(const circuit *c, bool from_start, budget *limits);
void unroll_free(unrolling *u); /* NULL is allowed */

/* Groups are done in place of moves.  A move that stands for itself alone is legal when it is done;
   unless `wholly`, only as far as few gates decide it.  To be called before anything is asked for;
   after it nothing may be asked for that depends on moves but by way of the wires that the groups
   were found for, and no step be required.  The groups must outlive this. */
void unroll_by_groups(unrolling *u, const move_groups *groups, bool wholly);

sat_solver *unroll_solver(const unrolling *u);
const circuit *unroll_circuit(const unrolling *u);

/* Nothing has been asked for at this time or later. */
uint32_t unroll_times(const unrolling *u);

sat_literal unroll_wire(unrolling *u, wire w, uint32_t time);

/* Has anything asked for it? */
bool unroll_has(const unrolling *u, wire w, uint32_t time);

/* The game continues at this time: the state is not terminal. */
void unroll_require_open(unrolling *u, uint32_t time);

/* Every role makes exactly one move, and it is legal. */
void unroll_require_moves(unrolling *u, uint32_t time);

/* Both: a step is made. */
void unroll_require_step(unrolling *u, uint32_t time);

/* A literal that holds exactly when one of these does. */
sat_literal unroll_any(unrolling *u, const sat_literal *all, uint32_t count);

#endif
