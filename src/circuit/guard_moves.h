/* What all moves of a role have in common.

   Where roles take turns, nearly every move of a role is legal only when it is that role's turn.
   When the turn changes, all of these gates change, and the state has hardly changed at all.  So
   the condition is taken out of them: a move that is guarded is legal when its `legal` wire holds
   and the guard of its role does. */
#ifndef TABIA_CIRCUIT_GUARD_MOVES_H
#define TABIA_CIRCUIT_GUARD_MOVES_H

#include "circuit/gate_maker.h"

typedef struct move_guards {
  wire *guards;     /* by role; WIRE_TRUE: none */
  bool *is_guarded; /* by move */
} move_guards;

/* The condition that most moves of a role have; WIRE_TRUE when that are few. */
wire circuit_find_guard(const circuit *c, uint32_t role, arena *scratch);

/* What a conjunction says besides the guard, as wires that all hold; false: it does not contain it.
 */
bool circuit_list_without(const circuit *c, wire conjunction, wire guard, wire_vec *rest,
                          arena *scratch);

/* The same circuit, but for `legal`.  Guards are inputs or gates of `out`. */
void circuit_guard_moves(circuit *out, move_guards *guards, const circuit *in, arena *keep);

#endif
