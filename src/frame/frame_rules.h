/* Step 1: the rules for what stays true.

   A clause next(f) <= ... true(f) ... is a frame rule. It is stored in parts: the fluent, the
   `does` atoms, and the condition, which is the rest. Two rewritings make more clauses
   translatable:

   A rule for any fluent, next(?f) <= true(?f) ..., is instantiated for every fluent name. A static
   relation in the condition that is defined by `distinct` is replaced by its definition, so that 'a
   cell other than this' can be negated to 'this cell'. */
#ifndef TABIA_FRAME_FRAME_RULES_H
#define TABIA_FRAME_FRAME_RULES_H

#include "frame/domain.h"

typedef struct frame_rule {
  clause_id source; /* in the program */
  uint32_t name;    /* of its fluent, in frame_domain.fluents */
  term_id fluent;   /* over variables ?0 .. ?variable_count-1 */
  uint32_t moves;   /* in frame_rules.moves: its does atoms */
  uint32_t move_count;
  uint32_t condition; /* in frame_rules.conditions */
  uint32_t condition_count;
  uint32_t variable_count;
} frame_rule;

typedef struct frame_rules {
  arena *keep;
  VEC(frame_rule) all; /* sorted by name */
  VEC(term_id) moves;
  VEC(literal) conditions;
  bool *is_frame_rule; /* by clause of the program: what the translation replaces */
  uint32_t count;      /* how many of them */
} frame_rules;

void frame_rules_find(frame_rules *f, const program *p, const analysis *a, const frame_domain *m,
                      arena *keep);

#endif
