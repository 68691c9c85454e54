/* Whether a ground program is what ground.h says: for asserts and tests, linear in its size. */
#ifndef TABIA_GROUND_GROUND_SOUND_H
#define TABIA_GROUND_GROUND_SOUND_H

#include "ground/ground.h"

bool ground_is_sound(const ground_program *g);

#endif
