/* What is known of atoms in every state: the well-founded model with the state left open.

   An atom is possible if it can be derived from the inputs when every negation is assumed that is
   not known to fail, and certain if it can be derived from what is known.  An atom that is not
   possible never holds; a certain one always does.

   The inputs are any fluents and moves; with `through_states` only reachable ones: the fluents of
   the initial state, those that `next` derives from a possible state, and moves that can be legal.
   Then a fluent of the initial state that never ceases is certain, too. */
#ifndef TABIA_GROUND_SIMPLIFY_WELLFOUNDED_H
#define TABIA_GROUND_SIMPLIFY_WELLFOUNDED_H

#include "ground/ground.h"

typedef struct wellfounded {
  bitset possible; /* atoms */
  bitset certain;  /* atoms */
} wellfounded;

/* The rules need not be sorted.  When the budget ends on the way, less is known. */
void wellfounded_find(wellfounded *m, const ground_program *g, bool through_states, arena *keep,
                      budget *limits);

#endif
