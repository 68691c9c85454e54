/* Proves guesses together and remembers which others each proof uses.

   Each guess is assumed under a guard before the step, so that a proof shows which others it uses
   (an unsatisfiable core); when one is refuted, only those whose proof used it are checked again.
   That is quick if many guesses depend on each other, like those about the squares of a board.  The
   step has only the moves that the guesses depend on.  Both methods add to `proved` what they can
   prove, given what is proved already. */
#ifndef TABIA_INDUCT_CORE_PROOFS_H
#define TABIA_INDUCT_CORE_PROOFS_H

#include "induct/induct.h"
#include "induct/move_groups.h"

/* Each question in a solver of its own, which knows of no more than it takes and of groups of moves
   in place of moves: a few thousand variables, however large the circuit is.  All that makes a move
   legal is asked for only where it does not go without.  With a sample, `seen`, lemmas are guessed
   where that does not do either (lemmas.h). */
void cores_prove_one_by_one(fact_set *proved, const fact_set *guesses, const move_table *moves,
                            const sample *seen, uint32_t conflicts, budget *limits,
                            induct_counts *counts);

/* All in one solver. */
void cores_prove_together(fact_set *proved, const fact_set *guesses, const circuit *c,
                          uint32_t conflicts, budget *limits, induct_counts *counts);

#endif
