/* Random games on a GPU: `lanes` with its playouts on a device.

   Everything else is answered as `lanes` does, on the processor. */
#ifndef TABIA_MACHINE_GPU_GPU_MACHINE_H
#define TABIA_MACHINE_GPU_GPU_MACHINE_H

#include "machine/gpu/gpu_player.h"

extern const machine_ops gpu_machine;

/* The code that plays, made when it is first asked for; `has_start`: from a position of one's own.
   NULL: the budget is spent, or *trouble says why the device failed. */
const gpu_code *gpu_machine_code(const machine *m, bool has_start, const char **trouble, budget *b);

/* The net that the device plays.  NULL: the budget is spent. */
const lane_net *gpu_machine_net(const machine *m, budget *b);

/* Held while the device is used. */
void gpu_machine_lock(const machine *m);
void gpu_machine_unlock(const machine *m);

#endif
