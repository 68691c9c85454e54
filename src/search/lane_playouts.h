/* Random games in bundles: what playouts_run does on the machine `lanes`.

   Work is cut into parts of a fixed number of games (lanes_part_size), each with a stream of random
   numbers of its own: the result is the same with any number of threads. */
#ifndef TABIA_SEARCH_LANE_PLAYOUTS_H
#define TABIA_SEARCH_LANE_PLAYOUTS_H

#include "search/playout.h"

bool lane_playouts_run(playout_summary *s, const machine *m, const playout_options *o, budget *b,
                       arena *keep, diag_sink *d);

#endif
