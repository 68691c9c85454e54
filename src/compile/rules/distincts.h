/* Conditions that two terms differ, over variables and constants alone.

   The sides of a `distinct` may be compound as they stand, and become compound where a variable
   stands for a whole move or fluent and its relation is split by shapes.  Two terms with the same
   name and as many arguments differ where some of their arguments do: one clause for each.  Later
   stages compare codes of constants, and know no other `distinct`. */
#ifndef TABIA_COMPILE_RULES_DISTINCTS_H
#define TABIA_COMPILE_RULES_DISTINCTS_H

#include "datalog/flat.h"

/* All relations are exact, so that every variable stands for a constant.  False: there would be
   too many clauses. */
bool distincts_solve(flat_program *f, arena *keep);

/* Two different variables, or a variable and a constant: what is left to be compared. */
bool distinct_is_solved(const flat_program *f, const flat_literal *l);

#endif
