/* The normal form of ground rules, to which the result of every method is brought before two are
   compared.

   1. An atom that cannot be derived even if every negation held that is not known to fail is
      false; so is one that is not among the fluents and moves.  Rules that need it are removed, its
      negation is removed from bodies.
   2. An atom with a rule without conditions is true.  It is removed from bodies, rules with its
      negation are removed; if it is an answer it keeps one rule without conditions.
   3. Rules that need an atom and its negation are removed.
      1 to 3 are repeated until nothing changes: this is the well-founded model with the state and
      the moves left open, so the order of the steps does not matter, nor which of the impossible
      instances a method has left out.
   4. Bodies are sets, and so are the rules of a head.
   5. Only atoms that answers depend on stay: next of a fluent, legal of a move, goal and sees of a
      role, terminal. */
#ifndef TABIA_GROUND_OTHERS_GROUND_NORMAL_FORM_H
#define TABIA_GROUND_OTHERS_GROUND_NORMAL_FORM_H

#include "ground/ground.h"

typedef enum truth { TRUTH_OPEN, TRUTH_HOLDS, TRUTH_FAILS } truth;

/* By atom: what steps 1 to 3 find.  Sorts bodies on the way. */
truth *ground_truths(ground_program *g, arena *keep);

/* Brings g to normal form.  Fluents, moves, goals, percepts and terminal must know their atoms;
   those that fail are forgotten. */
void ground_normalise(ground_program *g);

#endif
