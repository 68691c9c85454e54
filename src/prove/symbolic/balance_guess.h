/* Guesses of balances (balances.h): sums that are the same in all states of a sample. */
#ifndef TABIA_PROVE_SYMBOLIC_BALANCE_GUESS_H
#define TABIA_PROVE_SYMBOLIC_BALANCE_GUESS_H

#include "prove/symbolic/balances.h"

/* With counters: sums in which there is one. */
void balances_guess(balance_vec *all, bool with_counters, const circuit *c, const sample *seen,
                    arena *keep, budget *b);

/* Modulo two, of the latches of a name. */
void parities_guess(balance_vec *all, const circuit *c, const sample *seen, arena *keep, budget *b);

#endif
