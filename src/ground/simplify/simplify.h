/* Simplifies ground rules without changing their meaning.

   Constants: an atom that can never hold (no derivation from possible atoms), and one that always
   holds (a derivation from certain atoms), are folded.  With `through_states` this is done across
   states: a fluent that starts false and never becomes true can never hold, one that starts true
   and never ceases always does.  Then repeated rules, and atoms that nothing needs any more, are
   dropped. */
#ifndef TABIA_GROUND_SIMPLIFY_SIMPLIFY_H
#define TABIA_GROUND_SIMPLIFY_SIMPLIFY_H

#include "ground/ground.h"

/* When the budget ends on the way, less is evaluated away. */
void ground_fold_constants(ground_program *g, bool through_states, budget *limits);

/* Does what ground_index_rules does; and of two rules of one head whose bodies are nested, the
   longer one is dropped. */
void ground_index_minimal_rules(ground_program *g);

/* The atoms that legal, goal and terminal depend on: no move is done while they are read.  The
   rules must be indexed, here and below, and stay so. */
bitset ground_read_without_moves(const ground_program *g, arena *keep);

/* Rules of one head that differ only in the move that a role does are replaced by 'any move but
   these', where that is shorter: a role does exactly one move.  Those of `without_moves` stay. */
void ground_complement_moves(ground_program *g, bitset without_moves);

/* Renumbers atoms so that only needed ones are left. */
void ground_drop_unneeded(ground_program *g);

/* The same where it is known what is read without moves: that is needed, with all it depends on. */
void ground_drop_unneeded_but(ground_program *g, bitset without_moves);

#endif
