/* Every fault of a rulesheet, found in one run. */
#ifndef TABIA_RULES_CHECK_H
#define TABIA_RULES_CHECK_H

#include "base/budget.h"
#include "rules/analysis.h"

typedef struct check_result {
  bool stratified;   /* Definition 1.1 of grounding-asp, by relations */
  bool allowed;      /* Definition 1.2 */
  bool recursion_ok; /* Definition 1.3 */
  bool bounded;      /* Definition 2, or finite by the ranks of term_growth.h */
  /* Relations are not stratified, and whether their ground atoms are could not be told from
     the facts: grounding settles it. */
  bool unstratified_undecided;
} check_result;

/* Reports into `d`, which holds what reading and building have reported; `scratch` is left as
   it was.  When the limits are reached the rest is left out, for the caller to say so. */
check_result rules_check(const program *p, const analysis *a, arena *scratch, budget *limits,
                         diag_sink *d);

#endif
