/* Can the rules make ever larger terms?

   Every argument place of a relation gets a rank, the depth that its terms can have beyond the
   terms of the text: for each variable at depth d in place P of a head, some positive body
   literal has it at depth e in a place Q with rank(P) >= rank(Q) + d - e.  Where such ranks
   exist the rules give finitely many facts (Lierler and Lifschitz, 'One more decidable class of
   finitely ground programs', 2009).  Fluents and moves are looked into: each argument of
   (cell ?x ?y) under `true` is a place of its own. */
#ifndef TABIA_RULES_TERM_GROWTH_H
#define TABIA_RULES_TERM_GROWTH_H

#include "rules/analysis.h"

#define RANK_ENDLESS UINT32_MAX

typedef struct term_growth {
  bool finite;
  bool *is_endless; /* by relation: a place of it has no rank */
  /* of a head that makes terms grow, when not finite: */
  clause_id clause;
  uint32_t argument; /* of the head */
} term_growth;

/* `across_states` adds the rules of Definition 2 of grounding-asp: true from init and next, does
   from legal. */
term_growth term_growth_find(const program *p, bool across_states, arena *keep);

#endif
