/* What is known of atoms before a state is: the well-founded model with the state left open.

   An atom is possible when it can be derived from what is given with every negation taken to hold
   that is not known to fail, and certain when it can be derived with what is known alone.  What is
   not possible never holds; what is certain always does.

   Given are any fluents and moves, or, `through_states`, what can come about: the fluents of the
   first state, those that are next of a possible state, and moves that can be legal.  Then a fluent
   of the first state that never ceases is certain, too. */
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
