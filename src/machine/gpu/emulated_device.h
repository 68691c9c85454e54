/* A device that is none: kernels are run by ptx_emulator.h.  It is slow, and there everywhere. */
#ifndef TABIA_MACHINE_GPU_EMULATED_DEVICE_H
#define TABIA_MACHINE_GPU_EMULATED_DEVICE_H

#include "machine/gpu/gpu_device.h"
#include "machine/gpu/ptx_emulator.h"

gpu_device *emulated_device_open(arena *keep);

/* Adds what warps issue from now on. */
void emulated_device_count(gpu_device *g, ptx_issues *issues);

/* Several, by words like "emulator,devices=3,compile=0.5,fail=7": how many (1); seconds that the
   compiler takes, for which nobody waits (0); and the launch, counted from 1, that the last device
   fails (0: none).  Returns how many there are. */
uint32_t emulated_devices_open(gpu_device **all, const char *words, arena *keep);

#endif
