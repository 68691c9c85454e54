/* The first-order machine: evaluates the rules bottom-up in every state.

   It needs no base, no input and no ground rules, so it plays games that cannot be grounded.
   Static facts are evaluated at opening; of a state it evaluates what is queried. */
#ifndef TABIA_MACHINE_DATALOG_DATALOG_MACHINE_H
#define TABIA_MACHINE_DATALOG_DATALOG_MACHINE_H

#include "machine/machine.h"

extern const machine_ops datalog_machine;

#endif
