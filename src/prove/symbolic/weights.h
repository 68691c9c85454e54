/* A measure of all fluents at once: weights whose sum no step raises and every k steps lower.

   In breakthrough each pawn counts by the way that it has still to go; in peg solitaire every peg
   counts one.  Such weights are learnt from steps: while some do not lower the sum, some that do
   not are found by the SAT solver, and the weights are mended until all that have been seen lower
   it.  A weight is made of shares that fluents have in common: first those of a name alone, then
   also of an argument; then those alone that agree in certain arguments, fewest shares first; then
   of two arguments, and of nothing else.  So what one step teaches helps with others like it, and the
   sums stay simple. */
#ifndef TABIA_PROVE_SYMBOLIC_WEIGHTS_H
#define TABIA_PROVE_SYMBOLIC_WEIGHTS_H

#include "prove/measure.h"

typedef struct weights_question {
  const circuit *c;
  void (*require)(void *context, unrolling *u, uint32_t time); /* a step that counts */
  /* A literal that holds where a step need not lower the sum; NULL: each must.  Then k is 1. */
  sat_literal (*may_rest)(void *context, unrolling *u);
  void *context;
  uint32_t steps; /* the k: at least 1 */
  uint32_t level; /* of the measure */
} weights_question;

/* True: a measure was found and proved, and is added to the list. */
bool weights_find(measure_list *out, const weights_question *q, budget *b);

#endif
