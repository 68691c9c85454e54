/* The circuit for proofs: as built from the rules, with latches merged, and without the passes that
   only make it faster to run. */
#ifndef TABIA_INDUCT_PLAIN_CIRCUIT_H
#define TABIA_INDUCT_PLAIN_CIRCUIT_H

#include "circuit/circuit.h"

/* Like circuit_build. */
bool induct_build_circuit(circuit *c, const ground_program *g, arena *keep, budget *limits,
                          diag_sink *d);

#endif
