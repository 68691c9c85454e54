/* Guesses that exclude a state from which a step breaks a fact.

   A fact that holds in every reachable state need not be inductive: a disc falls on the lowest free
   square of a column only if no disc hangs in the air. A model in which a step breaks the fact is
   such an unreachable state; if two things hold in it that never hold together in random play, it
   is guessed that they never do. */
#ifndef TABIA_INDUCT_LEMMAS_H
#define TABIA_INDUCT_LEMMAS_H

#include "induct/facts.h"

/* Adds guesses, clauses of two literals, that the state at time 0 of the last model breaks: not
   many, and none that is in `guesses` or `known`. */
void lemmas_guess(fact_set *guesses, const fact_set *known, const circuit *c, const sample *seen,
                  unrolling *u);

#endif
