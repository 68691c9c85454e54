/* Does one body imply another (theta-subsumption)? */
#ifndef TABIA_RULES_CHECK_SUBSUME_H
#define TABIA_RULES_CHECK_SUBSUME_H

#include "rules/program.h"

/* Is there a substitution that makes `a` into `b` and every literal of `wide` into one of `narrow`
   (theta-subsumption)?  Then whenever `narrow` holds of b, `wide` holds of it, too.  False, too,
   when it would take too long to tell. */
bool clause_subsumes(const program *p, const clause *wide, term_id a, const clause *narrow,
                     term_id b, arena *scratch);

#endif
