/* The order in which flat relations can be evaluated: their dependence through positive and negated
   literals. */
#ifndef TABIA_COMPILE_RULES_EVALUATION_ORDER_H
#define TABIA_COMPILE_RULES_EVALUATION_ORDER_H

#include "datalog/flat.h"

typedef struct order {
  uint32_t *component; /* by flat relation; a part comes after all that it depends on */
  uint32_t component_count;
  flat_id *relations; /* all of them, by component */
  bool *is_recursive; /* by flat relation: it depends on itself */
  uint32_t *stratum;  /* by flat relation: how many negations lie below it */
  uint32_t stratum_count;
  /* A negated literal of a clause whose head it depends on; UINT32_MAX when there is none, and
     then the relations are stratified. */
  uint32_t offending_literal;
} order;

void order_find(order *o, const flat_program *f, arena *keep);

/* Marks every relation that depends on a marked one. */
void order_spread_up(const order *o, const flat_program *f, bool *marked, arena *scratch);

/* Gives every relation the bits of all relations that need it. */
void order_spread_down(const order *o, const flat_program *f, uint32_t *bits, arena *scratch);

#endif
