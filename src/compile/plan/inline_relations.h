/* Relations that need not be computed.

   If a relation is only ever queried with known values, the conditions of its rule can replace it:
   (cellempty ?x ?y) for one cell, without the list of all empty cells. */
#ifndef TABIA_COMPILE_PLAN_INLINE_RELATIONS_H
#define TABIA_COMPILE_PLAN_INLINE_RELATIONS_H

#include "compile/rules/relation_sizes.h"

/* Writes the rules of `s` so.  `sizes` are those of `s`, and stay right. */
void inline_relations(strata *s, const sizes *sizes, arena *keep);

#endif
