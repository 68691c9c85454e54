/* A device that is none: kernels are run by ptx_emulator.h.  It is slow, and there everywhere. */
#ifndef TABIA_MACHINE_GPU_EMULATED_DEVICE_H
#define TABIA_MACHINE_GPU_EMULATED_DEVICE_H

#include "machine/gpu/gpu_device.h"

gpu_device *emulated_device_open(arena *keep);

#endif
