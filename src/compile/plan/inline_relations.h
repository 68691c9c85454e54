/* Relations that need not be worked out.

   Where all that is ever asked of a relation is whether it holds of values that are known by then,
   the conditions of its rule can be asked in its place: (cellempty ?x ?y) for one cell in place of
   the list of all empty cells. */
#ifndef TABIA_COMPILE_PLAN_INLINE_RELATIONS_H
#define TABIA_COMPILE_PLAN_INLINE_RELATIONS_H

#include "compile/rules/relation_sizes.h"

/* Writes the rules of `s` so.  `sizes` are those of `s`, and stay right. */
void checks_put_in_place(strata *s, const sizes *sizes, arena *keep);

#endif
