/* Recursion without cycles: no fact of the relation can follow from itself.

   Most recursive rules of games walk along a board: `(<= (clear ?x ?z) (succ ?x ?y) (clear ?y ?z)
   (empty ?y))`.  In each such clause a static condition ties values of the fact that is used to
   values of the fact that follows; if these ties have no cycle, facts have ranks. */
#ifndef TABIA_MACHINE_DATALOG_DATALOG_ACYCLIC_RECURSION_H
#define TABIA_MACHINE_DATALOG_DATALOG_ACYCLIC_RECURSION_H

#include "machine/datalog/datalog_plan.h"

/* For the relation of a component that has no other.  False where it is not known. */
bool dl_recursion_is_acyclic(const dl_plan *p, flat_id relation);

#endif
