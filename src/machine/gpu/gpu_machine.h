/* Random games on a GPU: `lanes` with its playouts on a device.

   Everything else is answered as `lanes` does, on the processor. */
#ifndef TABIA_MACHINE_GPU_GPU_MACHINE_H
#define TABIA_MACHINE_GPU_GPU_MACHINE_H

#include "machine/gpu/gpu_player.h"

extern const machine_ops gpu_machine;

/* Several devices work side by side; batches, and games from many positions, are on the first. */
uint32_t gpu_machine_devices(const machine *m);

/* The code that plays on a device, which is begun when it is first asked for, and may not be ready.
   NULL: the budget is spent. */
const gpu_code *gpu_machine_code(const machine *m, uint32_t device, gpu_start start, budget *b);

/* The net that the device plays.  NULL: the budget is spent. */
const lane_net *gpu_machine_net(const machine *m, budget *b);

gpu_device *gpu_machine_device(const machine *m, uint32_t device);

/* Held while a device is used. */
void gpu_machine_lock(const machine *m, uint32_t device);
void gpu_machine_unlock(const machine *m, uint32_t device);

#endif
