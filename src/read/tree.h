/* A rulesheet as syntax: names and lists, each with its place.

   Nodes are in one array in the order of the text; a list's elements follow it.  For both
   notations the shape is that of KIF: `p(X) :- q(X), ~r.` is the list
   (<= (p ?X) (q ?X) (not r)).  A variable is a name that begins with `?`. */
#ifndef TABIA_READ_TREE_H
#define TABIA_READ_TREE_H

#include "read/source.h"
#include "read/symbol.h"

typedef uint32_t node_id;

typedef struct node {
  symbol_id symbol; /* SYM_NONE: a list */
  node_id after;    /* the first node behind this one and all that is in it */
  span where;       /* with the parentheses, for a list */
} node;

typedef enum notation { NOTATION_KIF, NOTATION_PROLOG } notation;

typedef struct tree {
  const source *source;
  symbol_table *symbols;
  notation notation;
  VEC(node) nodes;
  VEC(span) comments; /* in order, with their marks, without their line end */
} tree;

/* Reads a text in either notation.  Goes on after every fault; what was read before and
   after it is in the tree.  False when there was an error. */
bool tree_read(tree *t, const source *s, symbol_table *symbols, arena *keep, diag_sink *d);
bool tree_read_as(tree *t, const source *s, notation n, symbol_table *symbols, arena *keep,
                  diag_sink *d);

notation notation_guess(slice words);  /* a NUL must follow */
const char *notation_name(notation n); /* "kif", "prolog" */

static inline const node *tree_node(const tree *t, node_id n) { return &t->nodes.items[n]; }
static inline bool node_is_list(const tree *t, node_id n) {
  return tree_node(t, n)->symbol == SYM_NONE;
}
static inline node_id node_after(const tree *t, node_id n) { return tree_node(t, n)->after; }
static inline node_id node_first(node_id list) { return list + 1; } /* == after: empty */

/* for (node_id n = first; n != end; n = node_after(t, n)) walks siblings; the top level is
   0 .. nodes.count. */
uint32_t node_element_count(const tree *t, node_id list);

/* The name that a node is about: itself, or the first element of a list; else SYM_NONE. */
symbol_id node_functor(const tree *t, node_id n);

#endif
