/* The shortest derivation of an atom that holds.

   A derivation is a tree: an atom, the rule that gives it, and a derivation of each positive
   condition; facts of the rulesheet, fluents of the state and moves are leaves.  Its length is the
   number of literals in it, counting repetitions; the shortest is found by Knuth's generalisation
   of Dijkstra's algorithm (1977) over the instances of rules that hold and that the atom can need.
   Negated conditions and `distinct` count as one literal each. */
#ifndef TABIA_EXPLAIN_DERIVATION_H
#define TABIA_EXPLAIN_DERIVATION_H

#include "explain/world.h"

typedef uint32_t goal_id;

#define GOAL_ID_NONE UINT32_MAX

/* A rule with values for its variables, whose conditions all hold. */
typedef struct rule_instance {
  const ref_clause *clause;
  const term_id *bindings;
  goal_id head;
  uint32_t first_condition; /* in derivation.conditions, the goals of positive conditions */
  uint32_t condition_count;
  uint32_t missing; /* conditions without derivation, while searching */
  uint64_t length;
} rule_instance;

typedef struct derived_goal {
  term_id atom;
  bool is_leaf;
  uint64_t length;   /* of its shortest derivation; 0: none is known */
  uint32_t instance; /* the last rule of it; ID_NONE for a leaf */
} derived_goal;

typedef struct derivation {
  world *world;
  arena *keep;
  VEC(derived_goal) goals; /* the first is what was asked */
  VEC(rule_instance) instances;
  id_vec conditions;
  id_table index; /* from atoms to goals */
} derivation;

/* False: the atom, which is ground, does not hold; or there is trouble, or the budget is spent. */
bool derivation_find(derivation *d, world *w, term_id atom, arena *keep);

goal_id derivation_goal(const derivation *d, term_id atom); /* GOAL_ID_NONE: it was not needed */

#endif
