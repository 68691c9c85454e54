/* Fluents that never change.

   Where next(f) <= true(f) is the only rule that brings fluents of a shape, those of the initial
   state hold for ever and no others ever do.  Conditions on them become conditions on a relation
   of facts that never change (true#always), and so does all that follows from these alone. */
#ifndef TABIA_COMPILE_FROZEN_H
#define TABIA_COMPILE_FROZEN_H

#include "datalog/flat.h"

void fluents_freeze(flat_program *f, arena *keep);

#endif
