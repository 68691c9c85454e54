/* In which order the conditions of a rule are taken, by estimated sizes. */
#ifndef TABIA_COMPILE_PLAN_LITERAL_ORDER_H
#define TABIA_COMPILE_PLAN_LITERAL_ORDER_H

#include "compile/rules/relation_sizes.h"

/* Writes the body literals of the clause that are atoms (indexes of flat_program.literals) in the
   order in which they are to be joined; returns how many there are. */
uint32_t literal_order_find(const strata *s, const sizes *sizes, const flat_clause *c,
                            uint32_t *result, arena *scratch);

#endif
