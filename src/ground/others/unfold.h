/* Replaces the auxiliary atoms of a method by their definitions.

   Decomposition gives ground rules with auxiliary atoms, each true if one of its bodies is.  A rule
   with such an atom is written once with each of these bodies in its place: this restores the
   instances of the rule in the rulesheet. */
#ifndef TABIA_GROUND_OTHERS_UNFOLD_H
#define TABIA_GROUND_OTHERS_UNFOLD_H

#include "ground/ground.h"

/* Made atoms are those whose relation `p` does not have.  Rules must be indexed; they are again
   afterwards, and the rules of made atoms are gone. */
void ground_unfold_made(ground_program *g, const program *p);

#endif
