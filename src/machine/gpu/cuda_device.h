/* An NVIDIA card, by its driver.

   The driver is a library that is loaded when a card is asked for (libcuda.so.1): nothing of CUDA
   is needed to build the program or to run it elsewhere.  The driver compiles PTX, and keeps what
   it has compiled by content, card and its own version (~/.nv/ComputeCache). */
#ifndef TABIA_MACHINE_GPU_CUDA_DEVICE_H
#define TABIA_MACHINE_GPU_CUDA_DEVICE_H

#include "machine/gpu/gpu_device.h"

/* All cards, as gpu_devices_open says; one that cannot be used ends the list. */
uint32_t cuda_devices_open(gpu_device **all, arena *keep, diag_sink *d);

#endif
