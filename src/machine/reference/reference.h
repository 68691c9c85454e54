/* The machine to trust: straight from the semantics, on no other machine's code.

   Reading order: reference_plan.h (how a rule is evaluated), reference_solve.h (how a question is
   answered), reference.c (positions and moves). */
#ifndef TABIA_MACHINE_REFERENCE_REFERENCE_H
#define TABIA_MACHINE_REFERENCE_REFERENCE_H

#include "machine/machine.h"

extern const machine_ops reference_machine;

#endif
