/* The sizes of relations in play, measured on states of a few random games that the inference
   engine plays.  Literal orders are chosen by them. */
#ifndef TABIA_COMPILE_RULES_RELATION_SIZES_H
#define TABIA_COMPILE_RULES_RELATION_SIZES_H

#include "compile/rules/strata.h"

enum { SAMPLE_STATES_MAX = 4 };

typedef struct sizes {
  const strata *rules;
  arena *keep;
  table *states[SAMPLE_STATES_MAX]; /* by state: tables by flat relation */
  uint32_t state_count;
  double *rows; /* by flat relation: facts in a state, on average */
  double cost;  /* rows looked at for a state, on average; HUGE_VAL: no state could be worked out */
} sizes;

/* Plays for a short while; a game that cannot be played leaves fewer states, or none. */
void sizes_measure(sizes *s, const strata *rules, arena *keep, budget *limits);

/* Facts of the relation that agree with given values in these columns, on average. */
double sizes_matches(const sizes *s, flat_id r, const uint32_t *columns, uint32_t column_count);

#endif
