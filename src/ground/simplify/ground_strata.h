/* Stratification of ground rules.

   A relation that depends on its own negation may have ground atoms that do not: only the ground
   rules decide that. */
#ifndef TABIA_GROUND_SIMPLIFY_GROUND_STRATA_H
#define TABIA_GROUND_SIMPLIFY_GROUND_STRATA_H

#include "ground/ground.h"

/* False: an atom depends on its own negation (E501), at the place where p, whose terms have the
   same numbers in g, says so. */
bool ground_is_stratified(const ground_program *g, const program *p, diag_sink *d);

#endif
