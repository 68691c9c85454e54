/* Fluents of two games that are the same fluent, and what follows from that.

   Of the product of two games, (old F) and (new F) are taken for equal where random play never tells
   them apart, and this is proved by induction, all pairs at once: with one latch for each pair, every
   pair has the same next value, as the same gate or since a SAT solver finds no legal step that makes
   them differ.  Pairs that fail are let go, until the rest follow from each other (van Eijk, Sequential
   equivalence checking without state space traversal, 1998).  Then a target that no such state
   reaches is never reached. */
#ifndef TABIA_DIFF_TWINS_H
#define TABIA_DIFF_TWINS_H

#include "base/budget.h"
#include "ground/ground.h"

typedef struct twins_result {
  bool is_proved;   /* the target is never reached */
  uint32_t pairs;   /* that were proved equal */
  uint32_t guesses; /* pairs at first */
} twins_result;

/* Of the product: its only goal is the target. */
twins_result twins_prove(const ground_program *product, budget *limits);

#endif
