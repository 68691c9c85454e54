/* A look at all successors of nodes when they are opened, in bundles.  Ends of the game among them
   become nodes at once, so that wins in one are never missed; with a network, the others give their
   edges a first value and a prior. */
#ifndef TABIA_TREE_TREE_JUDGE_H
#define TABIA_TREE_TREE_JUDGE_H

#include "tree/tree_search.h"

/* Looks for ends only, and only where it is worth it; for random games. */
void judge_ends(tree_search *s, const node_id *ids, uint32_t count);

/* Judges the edges of nodes that were opened just now, and so the nodes: what is not open, or where
   several roles choose, is judged as it is. */
void judge_nodes(tree_search *s, const node_id *ids, uint32_t count);

/* The outcome of a descent to a new node, float[roles]. */
void judge_outcome(const tree_search *s, node_id id, float *outcome);

#endif
