/* Games whose roles know only what they see (GDL-II): one role, or two whose goals add up to 100,
   besides chance, where every play ends.

   The method is CFR+ (Tammelin, Solving large imperfect information games using CFR+, 2014) over
   the whole tree: regrets that never fall below zero, roles updated in turn, averages that weigh
   later rounds more.  What a role's average strategy guarantees is computed by a best response to
   it, so values are true lower bounds, and their sum bounds their errors. */
#ifndef TABIA_SOLVE_HIDDEN_H
#define TABIA_SOLVE_HIDDEN_H

#include "solve/hidden_tree.h"

typedef struct hidden_result {
  double guarantees[HIDDEN_ROLES]; /* by chooser, as goals */
  double gap;                      /* the largest error of a guarantee */
  uint32_t rounds;
  double *averages; /* by choice of the tree: the share of a move */
} hidden_result;

/* Rounds until the gap is at most `wanted_gap`, or as many as are allowed.  False: the budget is
   spent. */
bool hidden_solve(hidden_result *r, const hidden_tree *t, double wanted_gap, uint32_t most_rounds,
                  arena *keep, budget *b);

#endif
