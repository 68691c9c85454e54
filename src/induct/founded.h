/* Questions about circuits with recursion, of the least fixpoint alone.

   As clauses a recursive component has models in which atoms hold because of each other and of
   nothing else: stones that have liberties because their neighbours have (unroll.h).  When the
   solver gives such a model, the atoms that the least fixpoint does not have are an unfounded set:
   one of them holds only if one of their definitions does while all of them are false (a loop
   formula, Lin and Zhao, ASSAT, 2004).  That is added, and the question asked again.  So 'no' still
   proves, and is found where the clauses alone say 'yes'. */
#ifndef TABIA_INDUCT_FOUNDED_H
#define TABIA_INDUCT_FOUNDED_H

#include "induct/unroll.h"

/* As sat_solve of its solver.  After so many loop formulas 'yes' may again be unfounded. */
sat_answer founded_solve(unrolling *u, const sat_literal *assumptions, uint32_t count,
                         uint32_t conflicts);

#endif
