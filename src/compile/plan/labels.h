/* How long the facts of each relation live (Algorithm 1 of the paper, on the normal rules):

     permanent   the same in every state
     persistent  once true in a game, true until it ends
     ephemeral   only of one state

   A fluent persists when a rule says next(q(V1, ..., Vn)) <= true(q(V1, ..., Vn)) and nothing else;
   what follows without negation from what persists does so too. */
#ifndef TABIA_COMPILE_PLAN_LABELS_H
#define TABIA_COMPILE_PLAN_LABELS_H

#include "compile/plan/normalise.h"

typedef struct labels {
  const normal_program *n;
  lifetime *of; /* by flat relation */
} labels;

void labels_find(labels *l, const normal_program *n, arena *keep, budget *limits);

void labels_print(const labels *l, text *out);

#endif
