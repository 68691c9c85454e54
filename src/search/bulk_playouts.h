/* What playouts_run does on a machine that plays in bulk (machine/bulk_play.h): parts of a fixed
   number of games, handed out to threads.  The result is the same with any number of them. */
#ifndef TABIA_SEARCH_BULK_PLAYOUTS_H
#define TABIA_SEARCH_BULK_PLAYOUTS_H

#include "search/playout.h"

bool bulk_playouts_run(playout_summary *s, const machine *m, const playout_options *o, budget *b,
                       arena *keep, diag_sink *d);

#endif
