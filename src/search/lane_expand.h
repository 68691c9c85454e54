/* The successors of many states in bundles: what expand_states does on the machine `lanes`. */
#ifndef TABIA_SEARCH_LANE_EXPAND_H
#define TABIA_SEARCH_LANE_EXPAND_H

#include "search/expand.h"

typedef struct lane_expander lane_expander;

/* NULL: the budget is spent before the machine is ready. */
lane_expander *lane_expander_new(const machine *m, arena *keep, budget *b);
bool lane_expand_states(lane_expander *l, const expander *x, uint32_t first, uint32_t end,
                        const expand_sink *sink);

#endif
