/* Fluents of two games that are the same fluent, and what follows from that.

   In the product of two games, (old F) and (new F) are assumed equal if they never differ in random
   play.  This is proved by induction for all pairs at once: with one latch for each pair, both next
   values are the same gate, or a SAT solver finds no legal step that makes them differ.  Pairs that
   fail are dropped until the others are inductive (van Eijk, Sequential equivalence checking
   without state space traversal, 1998).  A target that holds in no state in which these pairs are
   equal is then unreachable. */
#ifndef TABIA_DIFF_EQUAL_FLUENTS_H
#define TABIA_DIFF_EQUAL_FLUENTS_H

#include "base/budget.h"
#include "ground/ground.h"

typedef struct equal_fluents_result {
  bool is_proved;   /* the target is never reached */
  uint32_t pairs;   /* that were proved equal */
  uint32_t guesses; /* pairs at first */
} equal_fluents_result;

/* For the product: its only goal is the target. */
equal_fluents_result equal_fluents_prove(const ground_program *product, budget *limits);

#endif
