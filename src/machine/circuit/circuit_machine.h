/* One state at a time on the circuit.  A workspace remembers the values of all gates; for another
   position it changes only what differs. */
#ifndef TABIA_MACHINE_CIRCUIT_CIRCUIT_MACHINE_H
#define TABIA_MACHINE_CIRCUIT_CIRCUIT_MACHINE_H

#include "machine/circuit_positions.h"

extern const machine_ops circuit_machine;

#endif
