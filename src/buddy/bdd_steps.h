/* The steps of a game as relations: one for each joint move that can be legal. */
#ifndef TABIA_BUDDY_BDD_STEPS_H
#define TABIA_BUDDY_BDD_STEPS_H

#include "buddy/bdd_values.h"

/* Steps that write the same bits and are one diagram are one. */
typedef struct bdd_step {
  BDD relation; /* bits now, and written bits after the step */
  BDD written;  /* variables of the written bits now */
} bdd_step;

typedef struct bdd_steps {
  bdd_values *values;
  arena *keep;
  VEC(bdd_step) all;
  VEC(const uint32_t *) joints; /* that can be legal */
  bddPair *now;                 /* from bits after the step to bits now */
} bdd_steps;

void bdd_steps_init(bdd_steps *s, bdd_values *v, arena *keep);

/* The states that follow on those of a set, none of which is terminal; held. */
BDD bdd_steps_make(bdd_steps *s, BDD set);

/* The states of a set from which the joint move leads to the state, given by bits; held. */
BDD bdd_steps_back(bdd_steps *s, BDD set, const uint32_t *joint, const uint32_t *state);

#endif
