/* Balances: weighted sums of latches that no step changes.

   So each has the value of the first state in every reachable state: the stones of a player that
   only move about, empty squares and the pieces that are left to put there.  They are guessed from
   random play, by linear algebra on sums of latches that have a name and an argument in common, and
   proved: no step from a state with the facts changes the sum; if need be, from one in which all
   sums are as they are guessed.  What follows from the facts alone is left out.

   Of a counter each latch weighs as much as its place among the values.  Modulo two, latches of a
   name are counted one by one: so the squares of a board are told from each other by their colour. */
#ifndef TABIA_PROVE_SYMBOLIC_BALANCES_H
#define TABIA_PROVE_SYMBOLIC_BALANCES_H

#include "induct/facts.h"

typedef struct balance {
  int32_t *weights; /* by latch */
  int64_t start;    /* the sum in the first state */
  bool is_parity;   /* modulo two; weights are 0 and 1 */
} balance;

typedef VEC(balance) balance_vec;

/* What is summed up. */
typedef enum balance_kind {
  BALANCE_OF_FLUENTS,
  BALANCE_OF_COUNTERS, /* and of fluents */
  BALANCE_OF_PARITY,
  BALANCE_KINDS
} balance_kind;

/* Adds those that were proved within the budget, by those that are there already and together. */
void balances_find(balance_vec *all, balance_kind kind, const circuit *c, const fact_set *facts,
                   uint64_t seed, arena *keep, budget *b);

/* Requires the sum at a time. */
void balance_require(const balance *x, const circuit *c, unrolling *u, uint32_t time,
                     arena *scratch);

#endif
