/* Splits a relation by the values of one of its columns, so that rules which are stratified only
   once ground become rules that are stratified as they stand. */
#ifndef TABIA_COMPILE_RULES_SPLIT_BY_VALUE_H
#define TABIA_COMPILE_RULES_SPLIT_BY_VALUE_H

#include "compile/rules/evaluation_order.h"

/* Splits one relation of the part in which `o` found a negation.  False: none can be split. */
bool split_relation(flat_program *f, const order *o, arena *keep);

#endif
