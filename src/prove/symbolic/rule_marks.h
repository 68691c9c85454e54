/* A game with marks (program.mark): for each rule that has a body, one that holds where the body
   does.

   So the same machinery that runs a game shows which of its rules ever fire. */
#ifndef TABIA_PROVE_SYMBOLIC_RULE_MARKS_H
#define TABIA_PROVE_SYMBOLIC_RULE_MARKS_H

#include "base/bitset.h"
#include "machine/circuit_game.h"

typedef struct rule_marks {
  program program; /* with the marks; its terms are those of the game */
  grounded g;
  bitset marked;    /* rules that have a mark */
  bool *needs_step; /* by rule: it says something about a step, not about a state alone */
  rule_id *rule_of; /* by mark of g.circuit */
} rule_marks;

/* False: the game with marks cannot be grounded within the limits.  Call marks_close in both
   cases. */
bool marks_open(rule_marks *m, const program *p, budget *b, arena *keep);
void marks_close(rule_marks *m);

#endif
