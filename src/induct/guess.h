/* The parts of guessing (facts.h): groups within a name, and across names. */
#ifndef TABIA_INDUCT_GUESS_H
#define TABIA_INDUCT_GUESS_H

#include "induct/facts.h"

/* It always holds, or never does. */
bool fluent_never_changes(const circuit *c, uint32_t fluent);

/* Adds the strongest fact about the group that nothing speaks against. */
void guess_group(fact_set *guesses, const circuit *c, const sample *seen, const uint32_t *members,
                 uint32_t count);

/* Of several names: all their fluents together, where they take turns, and those that agree in one
   argument or two.  A set for each choice of names and arguments. */
void guess_across_names(board_guesses *guesses, const circuit *c, const sample *seen, arena *keep,
                        budget *limits);

#endif
