/* Whether a plan is what plan.h says: for asserts and tests, linear in its size. */
#ifndef TABIA_DATALOG_PLAN_SOUND_H
#define TABIA_DATALOG_PLAN_SOUND_H

#include "datalog/plan.h"

/* For the tables that it was made for: the indexes that it uses are there. */
bool plan_is_sound(const plan *p, const flat_program *f, const table *tables);

#endif
