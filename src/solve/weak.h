/* A weak solution: the value at the start, a best move and a line of play, without the values of
   all states.  For one role, or two in turns; values are those of turns.h.

   The value lies between two goals; whether a role can make sure of one in the middle is asked
   (pn_search.h) until they meet. */
#ifndef TABIA_SOLVE_WEAK_H
#define TABIA_SOLVE_WEAK_H

#include "solve/solve.h"

/* Fills in the result; False: the budget is spent.  The space needs no walk. */
bool weak_solve(solve_result *r, const solve_space *s, arena *keep, budget *b);

#endif
