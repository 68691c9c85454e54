/* What a goal is worth: the checker's own reading, which a test holds equal to that of the machines
   (rules/goal_value.h). */
#ifndef TABIA_CERTIFY_GOAL_NUMBER_H
#define TABIA_CERTIFY_GOAL_NUMBER_H

#include "rules/term.h"

/* An optional sign and digits, any number of them, whose value an int32_t holds.  False: the term
   is no such number, and then it is no goal. */
bool goal_number(const term_table *terms, term_id t, int32_t *value);

#endif
