/* Whether a circuit is what circuit.h says: for asserts and tests, linear in its size. */
#ifndef TABIA_CIRCUIT_CIRCUIT_SOUND_H
#define TABIA_CIRCUIT_CIRCUIT_SOUND_H

#include "circuit/circuit.h"

bool circuit_is_sound(const circuit *c);

#endif
