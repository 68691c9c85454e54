/* A weak solution: the value at the start, a best move and a line of play, without the values of
   all states.  For one role, or two in turn; values are those of turns.h.

   The value is found by bisection: pn_search.h says whether a role can guarantee the goal in the
   middle. */
#ifndef TABIA_SOLVE_WEAK_H
#define TABIA_SOLVE_WEAK_H

#include "solve/solve.h"

/* Fills in the result.  False: the budget is spent.  The space need not have been walked. */
bool weak_solve(solve_result *r, const solve_space *s, arena *keep, budget *b);

#endif
