/* Measures of certificates, as clauses over ground rules: the checker's own sums. */
#ifndef TABIA_CERTIFY_CHECK_MEASURES_H
#define TABIA_CERTIFY_CHECK_MEASURES_H

#include "certify/ground_clauses.h"

typedef struct checked_term {
  uint32_t fluent;
  bool negated;
  uint32_t weight;
} checked_term;

typedef VEC(checked_term) checked_measure;

/* A literal that holds exactly when the measure is greater at `time` + 1 than at `time`, and one
   for: it is another one. */
clause_literal measure_grows(ground_clauses *c, const checked_measure *m, uint32_t time);
clause_literal measure_changes(ground_clauses *c, const checked_measure *m, uint32_t time);

#endif
