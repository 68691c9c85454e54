/* Proves guesses beside each other and remembers what each proof rests on.

   All of them are in one solver, each assumed under a guard before the step, so that a proof tells
   which others it uses; when one falls, only what rested on it is asked again.  That is quick where
   many guesses lean on each other, as those about the squares of a board do.  The step is made of
   those moves alone that the guesses speak of. */
#ifndef TABIA_INDUCT_CORES_H
#define TABIA_INDUCT_CORES_H

#include "induct/induct.h"

/* Adds to `proved` those that can be proved, given what is proved already. */
void prove_with_cores(fact_set *proved, const fact_set *guesses, const circuit *c,
                      uint32_t conflicts, budget *limits, induct_counts *counts);

#endif
