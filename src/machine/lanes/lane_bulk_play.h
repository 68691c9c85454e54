/* Random games in bulk on the machine `lanes`: lane_player.h as bulk_play.h asks for it. */
#ifndef TABIA_MACHINE_LANES_LANE_BULK_PLAY_H
#define TABIA_MACHINE_LANES_LANE_BULK_PLAY_H

#include "machine/bulk_play.h"
#include "machine/circuit_game.h"

extern const bulk_play_ops lane_bulk_play;

/* Every goal of the circuit; only those in g->goals are numbers. */
const bulk_goal *lane_list_goals(const grounded *g, arena *keep);

/* Calls of bulk_play_ops. */
bool lane_bulk_record(const machine *m, const bulk_part *part, uint32_t lane, uint64_t steps,
                      id_vec *line, arena *keep, budget *b);
bool lane_bulk_record_first(const machine *m, const bulk_part *part, uint32_t lane,
                            uint64_t max_steps, id_vec *line, arena *keep, budget *b);

#endif
