/* The machine to trust: implements the semantics directly, without code of other machines.

   Read reference_plan.h (how a rule is evaluated), then reference_solve.h (how a question is
   answered), then reference.c (positions and moves). */
#ifndef TABIA_MACHINE_REFERENCE_REFERENCE_H
#define TABIA_MACHINE_REFERENCE_REFERENCE_H

#include "machine/machine.h"

extern const machine_ops reference_machine;

/* Does an atom hold in a state, while nobody moves: (true (cell 1 1 b)), (legal x noop), or one of
   the game's own relations?  `args` are ground terms of `from`, whose names are those of the rules.
   The machine must be of this kind. */
bool reference_holds(const machine *m, machine_workspace *w, const void *position,
                     symbol_id relation, const term_id *args, uint32_t count,
                     const term_table *from);

#endif
