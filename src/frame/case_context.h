/* What is known while a case is simplified: the fluent is true, the moves are made, and all of them
   are instances in the domain. */
#ifndef TABIA_FRAME_CASE_CONTEXT_H
#define TABIA_FRAME_CASE_CONTEXT_H

#include "frame/persistence.h"

typedef enum verdict { VERDICT_OPEN, VERDICT_TRUE, VERDICT_FALSE } verdict;

/* The fluent and the actions may be under a substitution. */
typedef struct case_context {
  const frame_case *x;
  const analysis *a;
  arena *scratch;
  term_id fluent;
  term_id *roles;      /* by role */
  term_id *actions;    /* by role */
  frame_place *places; /* the fluent, then the actions of which instances are known */
  uint32_t place_count;
} case_context;

/* A context with nothing substituted. */
void context_begin(case_context *s, const frame_case *x, const analysis *a, arena *scratch);

/* Substitutes (chains are followed).  False: a term would be too large. */
bool context_substitute(case_context *s, const term_id *bindings);

/* Does the condition hold, or fail, in every such state? */
verdict context_decide(const case_context *s, const condition *c);

/* Uses the instances: finds variables that can have one value only once the conditions hold, and
   binds them (TERM_NONE elsewhere).  False: the conditions cannot hold. */
bool context_narrow(const case_context *s, const condition_vec *conditions, term_id *bindings,
                    bool *has_bound);

/* The atoms that the context stands for: true(fluent), does(role, action). */
term_id context_fluent_atom(const case_context *s);
term_id context_move_atom(const case_context *s, uint32_t role);

#endif
