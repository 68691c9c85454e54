/* A device without a card: kernels are run on the processor by ptx_emulator.h, slowly. */
#ifndef TABIA_MACHINE_GPU_EMULATED_DEVICE_H
#define TABIA_MACHINE_GPU_EMULATED_DEVICE_H

#include "machine/gpu/gpu_device.h"
#include "machine/gpu/ptx_emulator.h"

gpu_device *emulated_device_open(arena *keep);

/* Adds what warps issue from now on. */
void emulated_device_count(gpu_device *g, ptx_issues *issues);

/* Several, as in "emulator,devices=3,compile=0.5,fail=7": their number (1); seconds that the
   compiler takes, which are not waited for (0); and the launch, counted from 1, that the last
   device fails (0: none).  Returns their number. */
uint32_t emulated_devices_open(gpu_device **all, const char *words, arena *keep);

#endif
