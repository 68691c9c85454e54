/* What is known while a case is simplified: the fluent is true, the moves are done, and all of
   them are instances that the domain lists. */
#ifndef TABIA_FRAME_SETTING_H
#define TABIA_FRAME_SETTING_H

#include "frame/ways.h"

typedef enum verdict { VERDICT_OPEN, VERDICT_TRUE, VERDICT_FALSE } verdict;

/* The fluent and the actions may be under a substitution. */
typedef struct frame_setting {
  const frame_case *x;
  const analysis *a;
  arena *scratch;
  term_id fluent;
  term_id *roles;      /* by role */
  term_id *actions;    /* by role */
  frame_place *places; /* the fluent, then the actions of which instances are known */
  uint32_t place_count;
} frame_setting;

/* A setting with nothing substituted. */
void setting_begin(frame_setting *s, const frame_case *x, const analysis *a, arena *scratch);

/* Substitutes (chains are followed).  False: a term would be too large. */
bool setting_substitute(frame_setting *s, const term_id *bindings);

/* Does the condition hold, or fail, in every such state? */
verdict setting_decide(const frame_setting *s, const condition *c);

/* Uses the instances: finds variables that can have one value only once the conditions hold, and
   binds them (TERM_NONE elsewhere).  False: the conditions cannot hold. */
bool setting_narrow(const frame_setting *s, const condition_vec *conditions, term_id *bindings,
                    bool *has_bound);

/* The atoms that the setting stands for: true(fluent), does(role, action). */
term_id setting_fluent_atom(const frame_setting *s);
term_id setting_move_atom(const frame_setting *s, uint32_t role);

#endif
