/* How wires that read several parts (ends, goals) are composed of features: what a part says alone.

   A feature is a conjunction of wires that read latches of one part, or common ones.  Every output
   is a function of features, a small circuit of conjunctions. */
#ifndef TABIA_FACTORS_FACTOR_SUMMARY_H
#define TABIA_FACTORS_FACTOR_SUMMARY_H

#include "circuit/circuit.h"

typedef struct factor_feature {
  uint32_t part;         /* or PART_COMMON: common latches, or none at all */
  uint32_t first, count; /* in factor_summary.wires; no wire: it holds */
} factor_feature;

/* A number, times four, plus two for a gate of the summary, else it is of a feature; plus one when
   negated. */
typedef uint32_t summary_literal;

typedef struct summary_gate {
  uint32_t first, count; /* in factor_summary.inputs */
} summary_gate;

typedef struct factor_summary {
  VEC(factor_feature) features;
  wire_vec wires;
  VEC(summary_gate) gates; /* after those that they read */
  VEC(summary_literal) inputs;
  VEC(summary_literal) outputs; /* as they were asked for */
} factor_summary;

typedef enum summary_truth { SUMMARY_FALSE, SUMMARY_TRUE, SUMMARY_OPEN } summary_truth;

/* `part_of`: by latch, a part or PART_COMMON.  The outputs read no moves. */
void factor_summarise(factor_summary *s, const circuit *c, const uint32_t *part_of,
                      const wire_vec *outputs, arena *keep);

/* Values of gates from those of features; features may be open, and then gates may be.  `gates` has
   room for all of them. */
void summary_evaluate(const factor_summary *s, const uint8_t *features, uint8_t *gates);

static inline summary_truth summary_value(const uint8_t *features, const uint8_t *gates,
                                          summary_literal l) {
  const uint8_t value = (l & 2 ? gates : features)[l >> 2];
  return value == SUMMARY_OPEN ? SUMMARY_OPEN : (summary_truth)(value ^ (l & 1));
}

#endif
