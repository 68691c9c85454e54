/* The value of a goal: a constant that is written as a number. */
#ifndef TABIA_RULES_GOAL_VALUE_H
#define TABIA_RULES_GOAL_VALUE_H

#include "rules/term.h"

/* An optional sign and any number of digits.  False: the term is no number from -INT32_MAX to
   INT32_MAX; INT32_MIN stands for 'none'. */
bool goal_value(const term_table *terms, term_id t, int32_t *value);
bool goal_value_of_name(const symbol_table *symbols, symbol_id name, int32_t *value);

#endif
