/* The tree of all plays of a game whose roles know only what they see (GDL-II), with what each of
   them knows: information sets.

   A role knows the moves that it has made and what it has seen since the start, step by step, so
   all nodes of an information set are equally deep.  Nodes are kept level by level, children of
   one node together, by joint move: the first chooser's moves slowest, those of chance fastest. */
#ifndef TABIA_SOLVE_HIDDEN_TREE_H
#define TABIA_SOLVE_HIDDEN_TREE_H

#include "base/hash.h"
#include "base/vec.h"
#include "machine/machine.h"

enum { HIDDEN_ROLES = 2, HIDDEN_NODES_MAX = 8000000 };

typedef struct hidden_node {
  uint32_t sets[HIDDEN_ROLES]; /* what each chooser knows */
  uint32_t first;              /* child; of an end: UINT32_MAX */
  uint32_t moves[HIDDEN_ROLES], chances;
  double goal; /* of an end: for the first chooser */
} hidden_node;

/* Key: what the role knew before, its move and what it saw. */
typedef struct hidden_set {
  uint32_t role, before, move;
  uint32_t first_percept, percepts; /* in hidden_tree.percepts */
  uint32_t first, moves;            /* choices; moves 0: not listed yet */
} hidden_set;

typedef struct hidden_tree {
  arena *keep;
  const machine *m;
  machine_workspace *w;
  uint32_t choosers[HIDDEN_ROLES], chooser_count, nature;
  VEC(hidden_node) nodes;
  id_vec levels; /* where each begins; the last one is the end */
  VEC(hidden_set) sets;
  id_vec percepts, choice_moves; /* by choice: the move */
  id_table index;
  uint64_t ends;
  bool has_chance;
  const char *reason; /* there is no such tree; or NULL */
} hidden_tree;

/* False: the budget is spent, or `reason` says why there is no such tree. */
bool hidden_tree_make(hidden_tree *t, const machine *m, uint64_t max_nodes, arena *keep, budget *b);

/* Steps to the deepest node.  The last level of a whole tree is empty. */
static inline uint32_t hidden_tree_depth(const hidden_tree *t) {
  const uint32_t empty = t->levels.count && vec_last(&t->levels) == t->nodes.count;
  return t->levels.count > empty ? t->levels.count - 1 - empty : 0;
}

static inline uint32_t hidden_child(const hidden_node *n, uint32_t a, uint32_t b, uint32_t chance) {
  return n->first + (a * n->moves[1] + b) * n->chances + chance;
}

#endif
