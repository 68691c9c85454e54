/* Atoms that a method has made, replaced by what they stand for.

   Decomposition gives ground rules with auxiliary atoms, each true when one of its bodies is. Where
   such an atom is asked for, the rule is written once with each of its bodies in its place: the
   instances of the rule as it stands in the rulesheet. */
#ifndef TABIA_GROUND_OTHERS_UNFOLD_H
#define TABIA_GROUND_OTHERS_UNFOLD_H

#include "ground/ground.h"

/* Made atoms are those whose relation `p` does not have.  Rules must be indexed; they are again
   afterwards, and the rules of made atoms are gone. */
void ground_unfold_made(ground_program *g, const program *p);

#endif
