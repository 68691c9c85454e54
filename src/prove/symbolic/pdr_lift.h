/* Which latches are to blame for the value of some wires: a part of a state that is enough to give
   them the values that they have in it.  All states that agree with the component behave alike. */
#ifndef TABIA_PROVE_SYMBOLIC_PDR_LIFT_H
#define TABIA_PROVE_SYMBOLIC_PDR_LIFT_H

#include "base/bitset.h"
#include "circuit/circuit.h"

typedef struct lifter {
  const circuit *c;
  arena *keep;
  uint64_t *values; /* by gate: bit 0 counts */
  bitset marked;    /* gates that have been justified */
  id_vec queue;
  uint32_t *component_of; /* by gate: its recursive component, or ID_NONE */
} lifter;

void lifter_init(lifter *l, const circuit *c, arena *keep);

/* Evaluates a state (by latch) and a joint move (by role; NULL: none), and forgets what was
   justified before. */
void lifter_evaluate(lifter *l, const bool *state, const uint32_t *joint);
bool lifter_value(const lifter *l, wire w);

/* Takes in what a wire's value depends on. */
void lifter_justify(lifter *l, wire w);

/* Is the latch part of what was taken in? */
static inline bool lifter_needs(const lifter *l, uint32_t latch) {
  return bitset_has(l->marked, l->c->latches.items[latch].gate);
}

#endif
