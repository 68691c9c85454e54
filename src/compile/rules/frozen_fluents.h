/* Fluents that never change.

   Where next(f) <= true(f) is the only rule that brings fluents of a shape, those of the initial
   state hold for ever and no others ever do.  Conditions on them become conditions on a relation
   of facts that never change (true#always); what follows from these alone is permanent, too. */
#ifndef TABIA_COMPILE_RULES_FROZEN_FLUENTS_H
#define TABIA_COMPILE_RULES_FROZEN_FLUENTS_H

#include "datalog/flat.h"

/* `is_spared` is by flat relation: those that stay as they are. */
void fluents_freeze(flat_program *f, const bool *is_spared, arena *keep);

#endif
