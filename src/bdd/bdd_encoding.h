/* States as bits for decision diagrams: how latches are encoded, and in which order the bits lie.

   Latches of which at most one holds are one variable with several values, and take the logarithm
   of their number of bits.  What the rules read together lies close together. */
#ifndef TABIA_BDD_BDD_ENCODING_H
#define TABIA_BDD_BDD_ENCODING_H

#include "induct/facts.h"

/* Latches of which at most one holds; or a single one. */
typedef struct bdd_group {
  id_vec latches;
  bool is_exactly_one;
  uint32_t first_bit, bit_count;
} bdd_group;

typedef struct bdd_encoding {
  VEC(bdd_group) groups;
  uint32_t *group_of; /* by latch */
  uint32_t *code_of;  /* by latch: the value of its group's bits when it holds */
  uint32_t bit_count;
} bdd_encoding;

/* `facts` hold in all reachable states of the circuit. */
void bdd_encode(bdd_encoding *e, const circuit *c, const fact_set *facts, arena *keep);

#endif
