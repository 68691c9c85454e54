/* The value of a goal: the checker's own implementation, which a test compares with that of the
   machines (rules/goal_value.h). */
#ifndef TABIA_CERTIFY_GOAL_NUMBER_H
#define TABIA_CERTIFY_GOAL_NUMBER_H

#include "rules/term.h"

/* An optional sign and digits, any number of them, for a value from -INT32_MAX to INT32_MAX.
   False: the term is no such number, and then it is no goal. */
bool goal_number(const term_table *terms, term_id t, int32_t *value);

#endif
