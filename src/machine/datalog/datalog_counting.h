/* Which facts can be kept right from state to state, and by which code.

   States of a search differ in little, and so do their derived facts.  A component can be kept if
   the ways in which its facts follow can be counted: a fact holds as long as some way is left. When
   facts that a clause reads come or go, only the ways that use them are looked for.  (Counting:
   Gupta, Mumick and Subrahmanian, 'Maintaining views incrementally', 1993.)

   A recursive component can be kept if no fact can follow from itself
   (datalog_acyclic_recursion.h): else two facts could go on supporting each other.  Every component
   that is read must be kept, too. */
#ifndef TABIA_MACHINE_DATALOG_DATALOG_COUNTING_H
#define TABIA_MACHINE_DATALOG_DATALOG_COUNTING_H

#include "machine/datalog/datalog_plan.h"

/* Larger relations are neither kept nor tracked: a tally has a number for each place. */
enum { DL_PLACES_KEPT_MAX = 1 << 20 };

/* Fills what concerns upkeep in the plan.  Must come before the indexes are made. */
void dl_upkeep_make(dl_plan *p, const dl_compiler *c, arena *keep, budget *limits);

#endif
