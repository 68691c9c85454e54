/* A SAT solver (CaDiCaL), kept apart from the rest of the program.

   Variables are numbers from 1; a literal is a variable, or its negative when negated.  The solver
   is incremental: it solves under assumptions, any number of times, and clauses can be added in
   between.  It stops when the budget is spent or a limit of conflicts is reached: then the answer
   is 'unknown', which proves nothing. */
#ifndef TABIA_SAT_SAT_H
#define TABIA_SAT_SAT_H

#include "base/budget.h"

typedef int32_t sat_literal; /* never 0 */

typedef enum sat_answer { SAT_UNKNOWN, SAT_YES, SAT_NO } sat_answer;

typedef struct sat_solver sat_solver;

sat_solver *sat_new(budget *limits, arena *keep);
void sat_free(sat_solver *s); /* before its arena; NULL is allowed */

/* Models in which little holds are tried first; to be called before the first clause. */
void sat_prefer_false(sat_solver *s);

sat_literal sat_variable(sat_solver *s);    /* a new one */
void sat_put(sat_solver *s, sat_literal l); /* the next of a clause; 0 ends it */
void sat_add(sat_solver *s, const sat_literal *clause, uint32_t count);
void sat_add_1(sat_solver *s, sat_literal a);
void sat_add_2(sat_solver *s, sat_literal a, sat_literal b);
void sat_add_3(sat_solver *s, sat_literal a, sat_literal b, sat_literal c);
/* A new variable that is equivalent to the conjunction of these. */
sat_literal sat_conjunction(sat_solver *s, const sat_literal *all, uint32_t count);

/* Is there a model in which all assumptions hold?  `conflicts` 0: no limit. */
sat_answer sat_solve(sat_solver *s, const sat_literal *assumptions, uint32_t count,
                     uint32_t conflicts);

bool sat_value(const sat_solver *s, sat_literal l);             /* after SAT_YES */
bool sat_was_used(const sat_solver *s, sat_literal assumption); /* after SAT_NO: in its proof */

/* What was asked so far. */
typedef struct sat_counts {
  uint64_t variables, clauses, questions;
} sat_counts;

sat_counts sat_count(const sat_solver *s);

#endif
