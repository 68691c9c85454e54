/* Random games in bulk on the machine `lanes`: lane_player.h as bulk_play.h asks for it. */
#ifndef TABIA_MACHINE_LANES_LANE_BULK_PLAY_H
#define TABIA_MACHINE_LANES_LANE_BULK_PLAY_H

#include "machine/bulk_play.h"

extern const bulk_play_ops lane_bulk_play;

#endif
