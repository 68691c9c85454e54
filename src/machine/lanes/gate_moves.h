/* Which moves the gates of a circuit ask for.

   A conjunction may have the condition that none of some moves is made.  Conjunctions with only
   such conditions can be inputs of others, which then have all their conditions. */
#ifndef TABIA_MACHINE_LANES_GATE_MOVES_H
#define TABIA_MACHINE_LANES_GATE_MOVES_H

#include "base/bitset.h"
#include "circuit/circuit.h"

typedef struct gate_moves {
  uint32_t *first; /* by gate, and one more: moves[first[g]] .. are those that gate g excludes */
  id_vec moves;
  bitset is_pure;  /* gates that say nothing else */
  bitset is_asked; /* gates that others need, not as a part of what they say themselves */
} gate_moves;

/* For the gates in `which` (a set of gates). */
void gate_moves_find(gate_moves *m, const circuit *c, bitset which, arena *keep);

static inline uint32_t gate_moves_count(const gate_moves *m, gate_id g) {
  return m->first[g + 1] - m->first[g];
}

/* Is this input of a conjunction a part of 'none of some moves'? */
bool gate_moves_is_part(const gate_moves *m, const circuit *c, wire input);

#endif
