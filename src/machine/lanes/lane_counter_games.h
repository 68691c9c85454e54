/* Random games from many positions by counter: what play_each of machine/bulk_play.h says, a part
   after another.

   A game depends on its position, the seed and its number alone, and is the same on `gpu`. */
#ifndef TABIA_MACHINE_LANES_LANE_COUNTER_GAMES_H
#define TABIA_MACHINE_LANES_LANE_COUNTER_GAMES_H

#include "machine/lanes/lane_player.h"

/* False: the budget is spent; games that have not come to an end have no goals. */
bool lane_counter_games_play(lane_player *p, const rollout_request *r, budget *b);

/* Lanes of a part that starts with the game number `first`, in which there are games of the
   request, of which the first may be before it. */
bundle_row lane_counter_games_lanes(const rollout_request *r, uint64_t first);

/* Reports the goals of such lanes.  Rows are in the order of g->goals. */
void lane_counter_games_tell(const grounded *g, const row_list *goals, const bundle_row *lanes,
                             uint64_t first, const rollout_request *r);

/* Gives the rows of the states in which the games of a part begin, 64 latches from `word` * 64 on;
   in lanes without a game there is any state of the request. */
void lane_counter_games_load(const rollout_request *r, uint64_t first, uint32_t words_each,
                             uint32_t word, bundle_row *block);

#endif
