/* What the circuit says of latches that count: which value can follow on which. */
#ifndef TABIA_PROVE_COUNTERS_H
#define TABIA_PROVE_COUNTERS_H

#include "base/bitset.h"
#include "circuit/circuit.h"

/* The gates that a wire depends on; not those behind `leaf`, which may be ID_NONE. */
bitset gates_behind(const circuit *c, wire w, gate_id leaf, arena *keep);

/* Puts the latches in an order in which each depends, of all of them, on itself and its neighbours
   alone.  False: there is none, and they stay as they were. */
bool counter_sort(id_vec *latches, const circuit *c, arena *scratch);

#endif
