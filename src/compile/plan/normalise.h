/* Rules with at most two conditions on relations (NORMAL-GDL).

   A rule of many conditions is split into a chain: an auxiliary relation holds the join of the
   first two, the third is joined to that, and so on.  An auxiliary relation has exactly the
   variables that are still needed, and serves every rule that begins in the same way.  `distinct`
   goes into the first rule that binds both its sides.

   The order of conditions is chosen by the sizes of a sample: the cheapest chain over all first
   conditions, each continued with the condition that multiplies rows least.  Negation comes when
   its variables are bound.  In recursive rules the recursive condition comes first. */
#ifndef TABIA_COMPILE_PLAN_NORMALISE_H
#define TABIA_COMPILE_PLAN_NORMALISE_H

#include "compile/rules/relation_sizes.h"

typedef struct normal_program {
  const strata *strata;
  const sizes *sizes;
  flat_program flat;   /* the relations of strata.flat, then the made ones; dynamic rules alone */
  uint32_t first_made; /* flat relations from here on are made */
  bool *is_permanent;  /* by flat relation, made ones included */
  bool *depends_on_does;
  uint32_t *asked_by;
  table *facts;
  double *repeats; /* by flat relation, for made ones: how often a fact is derived, about */
  order order;     /* of `flat` */
} normal_program;

void normalise(normal_program *n, const strata *s, const sizes *sizes, arena *keep, budget *limits);

/* Permanent relations with their sizes, then the rules. */
void normal_print(const normal_program *n, text *out);

#endif
