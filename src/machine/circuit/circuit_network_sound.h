/* Whether a network is what circuit_network.h says: for asserts and tests, linear in its size. */
#ifndef TABIA_MACHINE_CIRCUIT_CIRCUIT_NETWORK_SOUND_H
#define TABIA_MACHINE_CIRCUIT_CIRCUIT_NETWORK_SOUND_H

#include "machine/circuit/circuit_network.h"

bool network_is_sound(const network *n);

#endif
