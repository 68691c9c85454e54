/* Fluents that change one way only: a square that is filled stays filled, a piece that is taken
   from the pool never comes back.

   How many of them have changed is a measure.  Random play tells which to ask about; that each
   changes no other way, and that no k steps leave all of them as they are, is asked of the SAT
   solver.  The questions read what decides the fluents and which moves are legal, and of the end of
   the game as much as few gates decide: so they stay small where the rest of the game is large. */
#ifndef TABIA_PROVE_SYMBOLIC_ONE_WAY_H
#define TABIA_PROVE_SYMBOLIC_ONE_WAY_H

#include "prove/measure.h"

/* A latch, times two, plus one when it falls: when the change is from true to false. */
typedef uint32_t one_way;

typedef VEC(one_way) one_way_vec;

typedef struct one_way_question {
  const circuit *c;
  const fact_set *facts; /* that were proved */
  uint64_t seed;         /* of random play */
} one_way_question;

/* Adds those that were proved within the budget: of those that few gates decide, or of the others.
 */
void one_way_find(one_way_vec *found, const one_way_question *q, bool near, arena *keep, budget *b);

/* A measure of some of them, as its own level and alone in the list, and how many steps make it
   fall, at least `least` and at most `most`; 0: none was proved. */
uint32_t one_way_measure(measure_list *out, const one_way_question *q, const one_way_vec *found,
                         uint32_t least, uint32_t most, budget *b);

#endif
