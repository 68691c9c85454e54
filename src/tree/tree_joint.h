/* Nodes at which several roles choose at once.

   All joint successors are looked at when such a node is opened, in bundles; ends of the game among
   them become nodes.  From the bounds of successors follows which moves are dominated: another is
   at least as good, whatever the others do.  Those are out, for good; what is left may dominate
   more.  The bounds of the node are what a role can make sure of by a mixture of moves
   (solve/matrix_game.h), and what it gets at best.  A node with too many joint moves, or where
   `random` chooses with others, has no bounds. */
#ifndef TABIA_TREE_TREE_JOINT_H
#define TABIA_TREE_TREE_JOINT_H

#include "tree/tree_search.h"

/* Looks at the joint successors of nodes that were opened just now; with a network it judges them,
   and from them the nodes. */
void joint_look(tree_search *s, const node_id *ids, uint32_t count);

/* As tree_tighten. */
bool joint_tighten(tree_search *s, node_id id);

/* Is the edge of such a node dominated? */
static inline bool joint_is_out(const play_edge *e) { return e->regret < 0; }

#endif
