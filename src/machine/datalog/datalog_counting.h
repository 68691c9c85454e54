/* Which facts can be maintained from state to state, and by which code.

   States of a search differ little, and so do their derived facts.  A component can be maintained
   if the derivations of its facts can be counted: a fact holds while its count is not 0.  When
   facts that a clause reads are added or removed, only the derivations that use them are computed.
   (Counting: Gupta, Mumick and Subrahmanian, 'Maintaining views incrementally', 1993.)

   A recursive component can be maintained if no fact can follow from itself
   (datalog_acyclic_recursion.h): otherwise two facts could support each other for ever.  Every
   component that it reads must be maintained, too. */
#ifndef TABIA_MACHINE_DATALOG_DATALOG_COUNTING_H
#define TABIA_MACHINE_DATALOG_DATALOG_COUNTING_H

#include "machine/datalog/datalog_plan.h"

/* Larger relations are neither kept nor tracked: a tally has a number for each place. */
enum { DL_PLACES_KEPT_MAX = 1 << 20 };

/* Fills what concerns upkeep in the plan.  Must come before the indexes are made. */
void dl_counting_plan(dl_plan *p, const dl_compiler *c, arena *keep, budget *limits);

#endif
