/* The order of variables: what gates read together lies close together.

   FORCE (Aloul, Markov and Sakallah): each variable goes to the mean of the centres of the sets
   that it is in, again and again; the sets are the variables that small gates and the values of
   latches after a step depend on. */
#ifndef TABIA_BDD_BDD_ORDER_H
#define TABIA_BDD_BDD_ORDER_H

#include "circuit/circuit.h"

/* The groups, from first to last. */
const uint32_t *bdd_order_groups(const circuit *c, const uint32_t *group_of, uint32_t groups,
                                 arena *keep);

#endif
