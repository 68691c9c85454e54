/* Conditions that exclude nothing: W617. */
#ifndef TABIA_RULES_CHECK_CHECK_ALWAYS_H
#define TABIA_RULES_CHECK_CHECK_ALWAYS_H

#include "rules/check/idle_clauses.h"

void check_always(checker *c, idle_clauses *idle);

#endif
