/* Groups that induction leaves open: candidates that are not proved yet, decided by looking at all
   states, or one by one by induction and pdr.

   The candidates are those of induct/ (facts.h): what the shapes of fluents suggest and the start
   and random play do not speak against. */
#ifndef TABIA_PROVE_SYMBOLIC_MUTEX_OPEN_H
#define TABIA_PROVE_SYMBOLIC_MUTEX_OPEN_H

#include "prove/methods.h"

/* Adds to the job's `walked_groups`, and if all states were looked at it `has_all_groups`. */
void mutex_open_by_walk(prove_job *j, budget *b);

/* Adds to the job's facts: groups, and clauses that prove them. */
void mutex_open_one_by_one(prove_job *j, budget *b);

#endif
