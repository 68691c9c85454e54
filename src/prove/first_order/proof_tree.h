/* Proof-tree completion: a rule in terms of what its relations are defined by.

   A positive literal whose relation is defined by a few rules is replaced by their bodies, again
   and again, until only fluents, moves, listed facts and negations are left; where that would make
   too many bodies, literals stay as they are.  The bodies together say what the rule said. */
#ifndef TABIA_PROVE_FIRST_ORDER_PROOF_TREE_H
#define TABIA_PROVE_FIRST_ORDER_PROOF_TREE_H

#include "rules/analysis.h"

typedef struct unfolded_body {
  term_id head;
  const literal *literals;
  uint32_t count;
  uint32_t variables; /* more than any number of a variable in it */
} unfolded_body;

typedef VEC(unfolded_body) unfolded_vec;

/* Adds the bodies for the clause; the more there are already, the less it is unfolded. */
void clause_unfold(unfolded_vec *out, const analysis *a, clause_id c, arena *keep);

#endif
