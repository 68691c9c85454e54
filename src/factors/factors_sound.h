/* Whether parts are what factors.h says, by the dependencies of the circuit alone: linear in its
   size times its moves.  It shares no search with factors.c, and nothing that this rejects is
   used. */
#ifndef TABIA_FACTORS_FACTORS_SOUND_H
#define TABIA_FACTORS_FACTORS_SOUND_H

#include "factors/factors.h"

bool factors_are_sound(const factors *f);

#endif
