/* The circuit of a game with what is asked about it.

   For each property that is a question about states (property_is_reach) there is a wire, its
   target: it holds in the states that decide the question.  Reaching a target refutes the property,
   but for winnable, which it proves.  The new circuit has these targets, no goals and no percepts,
   and marks only if `dead` is all that is asked. */
#ifndef TABIA_PROVE_TARGET_CIRCUIT_H
#define TABIA_PROVE_TARGET_CIRCUIT_H

#include "machine/circuit_game.h"
#include "prove/property.h"

/* `reduced`: latches that neither terminal, legal nor a target depends on become constants.  Such a
   circuit has fewer states and the same plays; what it says of fluents need not be true. */
void question_circuit(circuit *out, const grounded *g, const property_vec *properties, bool reduced,
                      arena *keep);

/* target_of[i] is the target of the new circuit that stands for property i, or ID_NONE. */
uint32_t *question_targets(const property_vec *properties, arena *keep);

/* Behind these there are targets that other properties are judged by: first_of[i] is the first of
   property i, or ID_NONE.
     strongly-winnable  one: an end that the role has won
     monotone           one: a role has no goal, several, or one out of range; and for each number
                        of `g->goals` one: the role has this goal or a higher one; never for
                        `random`, whose goals do not count */
uint32_t *question_extras(const property_vec *properties, const grounded *g, arena *keep);

#endif
