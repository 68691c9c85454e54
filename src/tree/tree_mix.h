/* How roles that choose at once learn to mix their moves: regret matching (Hart and Mas-Colell; in
   trees, Lisý and others).  A role takes moves in proportion to what it has missed by not taking
   them; what it has done on average comes near to a mixture that cannot be exploited. */
#ifndef TABIA_TREE_TREE_MIX_H
#define TABIA_TREE_TREE_MIX_H

#include "tree/tree_search.h"

/* Draws one of the edges first .. end-1. */
uint32_t mix_choose(tree_search *s, node_id id, uint32_t first, uint32_t end);

/* Learns from what is known now of these edges, and of those beside them. */
void mix_learn(tree_search *s, node_id id, const uint32_t *choices);

#endif
