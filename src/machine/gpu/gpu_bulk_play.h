/* Random games in bulk on the machine `gpu`: gpu_player.h as bulk_play.h asks for it. */
#ifndef TABIA_MACHINE_GPU_GPU_BULK_PLAY_H
#define TABIA_MACHINE_GPU_GPU_BULK_PLAY_H

#include "machine/bulk_play.h"

extern const bulk_play_ops gpu_bulk_play;

#endif
