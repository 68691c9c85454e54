/* Games of one role that fall into independent parts (factors/): the best goal and a shortest line.

   The states of each part are enumerated and divided into kinds (part_graph.h).  Then combinations
   of kinds are searched breadth first, from the start until the highest goal is found or there are
   no more.  A part on which neither ends nor goals depend has one kind, if it always has a move.
   So most states of the game itself are never visited; the value, the remoteness and the best moves
   are those of a strong solution. */
#ifndef TABIA_SOLVE_PARTS_H
#define TABIA_SOLVE_PARTS_H

#include "factors/factors.h"
#include "solve/solve.h"

/* Fills in the result; faults beyond the end of the search are not seen.  A game that does not have
   one role and parts is declined, with a reason.  False: the budget is spent, or there are too many
   states or combinations. */
bool parts_solve(solve_result *r, const machine *m, const solve_options *o, arena *keep, budget *b,
                 diag_sink *d);

#endif
