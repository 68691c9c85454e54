/* Bounds of what a role gets at a node, in goals. */
#ifndef TABIA_TREE_TREE_BOUNDS_H
#define TABIA_TREE_TREE_BOUNDS_H

#include "tree/tree_search.h"

typedef struct bounds {
  uint8_t low, high;
} bounds;

/* Bounds only become tighter.  Returns true if they did. */
bool bounds_set(tree_search *s, node_id id, uint32_t role, bounds b);

/* Bounds of one of two roles whose goals have a constant sum: what the other has for sure, it
   cannot get. */
bounds bounds_with_sum(tree_search *s, bounds b, bounds other);

#endif
