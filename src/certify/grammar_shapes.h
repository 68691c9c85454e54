/* The parts of which the items of a certificate are made (grammar.h), and what is wrong with them.
 */
#ifndef TABIA_CERTIFY_GRAMMAR_SHAPES_H
#define TABIA_CERTIFY_GRAMMAR_SHAPES_H

#include "read/tree.h"

typedef struct shape_reader {
  const tree *t;
  diag_sink *d;
} shape_reader;

/* Says what is wrong with the node.  Always false. */
bool shape_fault(const shape_reader *r, node_id n, const char *why);

bool shape_is_term(const shape_reader *r, node_id n);
bool shape_is_formula(const shape_reader *r, node_id n);

/* What follows on the name with which the list begins: */
bool shape_is_alone(const shape_reader *r, node_id list); /* nothing */
bool shape_has_name(const shape_reader *r, node_id list); /* one name */
bool shape_has_number(const shape_reader *r, node_id list, uint32_t *number);
bool shape_has_literals(const shape_reader *r, node_id list);
bool shape_has_weights(const shape_reader *r, node_id list);
bool shape_has_joint_moves(const shape_reader *r, node_id list);

/* Reads a number that was looked at already. */
uint32_t shape_number(const tree *t, node_id n);

static inline slice node_name(const tree *t, node_id n) {
  return symbol_folded(t->symbols, tree_node(t, n)->symbol);
}

/* The first node behind the name with which a list begins. */
static inline node_id node_second(const tree *t, node_id list) {
  return node_after(t, node_first(list));
}

#endif
