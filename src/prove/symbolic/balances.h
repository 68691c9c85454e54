/* Balances: weighted sums of latches that no step changes.

   So each has the value of the first state in every reachable state: the stones of a player that
   only move about, empty squares and the pieces that are left to put there.  They are guessed from
   random play, by linear algebra on sums of latches that have a name and an argument in common, and
   proved: no step from a state with the facts changes the sum; if need be, from one in which all
   sums are as they are guessed.  What follows from the facts alone is left out. */
#ifndef TABIA_PROVE_SYMBOLIC_BALANCES_H
#define TABIA_PROVE_SYMBOLIC_BALANCES_H

#include "induct/facts.h"

typedef struct balance {
  int32_t *weights; /* by latch */
  int64_t start;    /* the sum in the first state */
} balance;

typedef VEC(balance) balance_vec;

/* Those that were proved within the budget. */
void balances_find(balance_vec *all, const circuit *c, const fact_set *facts, uint64_t seed,
                   arena *keep, budget *b);

/* Requires the sum at a time. */
void balance_require(const balance *x, const circuit *c, unrolling *u, uint32_t time,
                     arena *scratch);

#endif
