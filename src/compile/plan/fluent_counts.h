/* The number of possible fluents of each shape, as the grounder's relaxation finds it within limits
   that do not depend on the speed of the machine. */
#ifndef TABIA_COMPILE_PLAN_FLUENT_COUNTS_H
#define TABIA_COMPILE_PLAN_FLUENT_COUNTS_H

#include "datalog/flat.h"

/* By relation of `f`, for those of `true`; NULL: they are too many to be found.  The terms of `f`
   are those of the program. */
const uint32_t *fluent_counts(const program *p, const flat_program *f, arena *keep, budget *limits);

#endif
