/* Random games from many positions on a device (play_each of machine/bulk_play.h). */
#ifndef TABIA_MACHINE_GPU_GPU_ROLLOUTS_H
#define TABIA_MACHINE_GPU_GPU_ROLLOUTS_H

#include "machine/gpu/gpu_player.h"

/* The code is that of START_OF_EACH; `parts`, of LANES games each, are sent to the device together.
   False: as gpu_code_make; games that have not ended have no goals. */
bool gpu_rollouts_play(const gpu_code *c, const grounded *g, const rollout_request *r,
                       uint64_t parts, budget *b);

/* The number of parts that take some hundred megabytes. */
uint64_t gpu_rollouts_parts(const gpu_code *c);

#endif
