/* All ground instances of the rules, from the possible facts. */
#ifndef TABIA_GROUND_INSTANTIATE_H
#define TABIA_GROUND_INSTANTIATE_H

#include "ground/ground.h"

/* Begins with the atoms of legal, next, goal, terminal and sees, and goes on to the atoms in the
   bodies of their rules: nothing else is instantiated.  The tables of `b` are used up.  False: a
   limit was reached (reported). */
bool instantiate(ground_program *g, bases *b, arena *keep, budget *limits, diag_sink *d);

#endif
