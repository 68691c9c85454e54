/* Whether a lane program is what lane_program.h says: for asserts and tests, linear in its size. */
#ifndef TABIA_MACHINE_LANES_LANE_PROGRAM_SOUND_H
#define TABIA_MACHINE_LANES_LANE_PROGRAM_SOUND_H

#include "machine/lanes/lane_program.h"

/* Slots 1 .. input_count are there before it runs. */
bool lane_program_is_sound(const lane_program *p, uint32_t input_count);

#endif
