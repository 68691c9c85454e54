/* Step 5: from the ways to stay to rules for what ceases to be true.

   'None of the ways is open' is a conjunction of negated conjunctions.  Each negation becomes a
   choice of opposites (a `distinct` turns into an equality, which is solved and disappears); all
   choices are expanded to disjunctive normal form, without subsumed alternatives.  If that would
   grow too large, or if a way has variables of its own, an auxiliary relation stands for the way
   (auxiliary.h).  Conditions that the domain decides are left out. */
#ifndef TABIA_FRAME_CEASING_H
#define TABIA_FRAME_CEASING_H

#include "frame/auxiliary.h"

#define CHOICE_ANY UINT32_MAX

/* fnext(fluent) <= true(fluent), moves, conditions.  Variables are numbered by their first
   occurrence in fluent, conditions, moves. */
typedef struct ceasing_rule {
  uint32_t name; /* in frame_domain.fluents */
  term_id fluent;
  condition_vec conditions;
  term_id *moves;    /* by role: does(role, action); TERM_NONE: it does not matter */
  uint32_t *choices; /* by role: which of its actions; CHOICE_ANY: it does not matter */
  uint32_t joint;    /* the general joint move that it comes from */
  uint32_t variable_count;
  uint32_t idle; /* roles whose action matters by its name alone, a bit each; set by merging */
} ceasing_rule;

typedef VEC(ceasing_rule) ceasing_vec;

/* Adds the rules of one case.  False: it cannot be translated (too many ways, terms too large). */
bool ceasing_rules_of(ceasing_vec *rules, auxiliaries *helpers, const frame_case *x,
                      const analysis *a, arena *keep);

/* Joins the rules of a fluent name, `rules[first ..]`, that differ only in moves that do not
   matter. */
void ceasing_rules_merge(ceasing_vec *rules, uint32_t first, const covering *c,
                         const frame_domain *m);

/* The roles, a bit each, whose moves follow from the other moves of the rule: in the covering
   nothing else goes with these.  After merging. */
uint32_t ceasing_rule_implied(const ceasing_rule *r, const covering *c);

#endif
