/* Ground rules made smaller without changing what they say.

   Constants: an atom that can never hold (no derivation from possible atoms), and one that always
   holds (a derivation from certain atoms), are evaluated away.  With `through_states` this looks
   through states: a fluent that starts false and never becomes true can never hold, one that
   starts true and never ceases always does.
   Then repeated rules, and atoms that nothing needs any more, are dropped. */
#ifndef TABIA_GROUND_SIMPLIFY_H
#define TABIA_GROUND_SIMPLIFY_H

#include "ground/ground.h"

/* When the budget ends on the way, less is evaluated away. */
void ground_fold_constants(ground_program *g, bool through_states, budget *limits);

/* Of two rules of one head whose bodies are nested, the longer one is dropped. */
void ground_drop_subsumed(ground_program *g);

/* Rules of one head that differ only in the move that a role does are replaced by 'any move but
   these', where that is shorter: a role does exactly one move. */
void ground_complement_moves(ground_program *g);

/* Adds to the atoms all that rules make them depend on.  The rules must be indexed. */
void ground_mark_read(const ground_program *g, bitset marked, arena *scratch);

/* Renumbers atoms so that only needed ones are left.  The rules must be indexed, and stay so. */
void ground_drop_unneeded(ground_program *g);

#endif
