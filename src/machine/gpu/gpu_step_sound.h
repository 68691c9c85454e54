/* Whether a step is what gpu_step.h says: for asserts and tests, linear in its size. */
#ifndef TABIA_MACHINE_GPU_GPU_STEP_SOUND_H
#define TABIA_MACHINE_GPU_GPU_STEP_SOUND_H

#include "machine/gpu/gpu_step.h"

/* Values are given once and before they are read, loops are closed, numbers are in bounds. */
bool gpu_step_is_sound(const gpu_step *s);

#endif
