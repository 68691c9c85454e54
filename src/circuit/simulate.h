/* The plainest evaluation of a circuit: 64 states at once, gate after gate. */
#ifndef TABIA_CIRCUIT_SIMULATE_H
#define TABIA_CIRCUIT_SIMULATE_H

#include "circuit/circuit.h"

/* The values of latches and moves are given (by gate, a bit for each state); the others are filled
   in. */
void circuit_simulate(const circuit *c, uint64_t *values);

/* Likewise, but only gates g for which needed[g] is not 0 are filled in. */
void circuit_simulate_some(const circuit *c, const uint32_t *needed, uint64_t *values);

static inline uint64_t wire_value(const uint64_t *values, wire w) {
  return values[wire_gate(w)] ^ (wire_is_negated(w) ? UINT64_MAX : 0);
}

#endif
