/* Conjunctions of two: the form from which straight-line programs are made.

   An edge is a node or its negation; node 0 is the constant.  Equal nodes are shared, and a
   conjunction that follows from two levels (a & ~a, a & (a & b), a & ~(a & b)) is simplified. */
#ifndef TABIA_MACHINE_LANES_AIG_H
#define TABIA_MACHINE_LANES_AIG_H

#include "base/hash.h"
#include "base/vec.h"

typedef uint32_t edge; /* a node, times two, plus one when negated */

enum { EDGE_FALSE = 0, EDGE_TRUE = 1 };

static inline uint32_t edge_node(edge e) { return e >> 1; }
static inline edge edge_not(edge e) { return e ^ 1; }

typedef struct aig_node {
  edge a, b; /* ID_NONE: an input */
} aig_node;

typedef struct aig {
  arena *keep;
  VEC(aig_node) nodes;
  id_table index;
} aig;

void aig_init(aig *g, arena *keep);
edge aig_input(aig *g);
edge aig_and(aig *g, edge a, edge b);
edge aig_or(aig *g, edge a, edge b);
edge aig_xor(aig *g, edge a, edge b);
edge aig_if(aig *g, edge condition, edge yes, edge no);
edge aig_majority(aig *g, edge a, edge b, edge c);
edge aig_all(aig *g, const edge *edges, uint32_t count);

static inline bool aig_is_input(const aig *g, uint32_t node) {
  return node && g->nodes.items[node].a == ID_NONE;
}

#endif
