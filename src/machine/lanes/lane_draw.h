/* Choosing one of the rows that hold, uniformly and for each lane by itself, as conjunctions.

   Rows are in groups, each in a column of its group.  The numbers of rows that hold in each group
   are added up in a tree of groups.  A random number below the sum selects a row: it is followed
   down the tree to a group; the rows of that group, which may be another in each lane, are gathered
   by column, and the column is found among them.  So 'the chosen row is in this group' and '... in
   this column' are known without looking at rows. */
#ifndef TABIA_MACHINE_LANES_LANE_DRAW_H
#define TABIA_MACHINE_LANES_LANE_DRAW_H

#include "machine/lanes/aig.h"
#include "machine/lanes/draw_layout.h"

typedef VEC(edge) edge_vec;

/* How many of the rows of some groups hold, as a binary number, lowest bit first. */
typedef struct draw_node {
  uint32_t first, size;     /* groups */
  uint32_t bits, bit_count; /* in draw_tree.bits */
  uint32_t left, right;     /* nodes; ID_NONE in a leaf, which is one group */
} draw_node;

typedef struct draw_tree {
  aig *g;
  arena *scratch;
  const edge *rows;
  draw_layout layout;
  VEC(draw_node) nodes; /* children before parents; the last one is the root */
  edge_vec bits;
} draw_tree;

/* There is at least one row; the rows must stay where they are. */
void draw_tree_build(draw_tree *t, aig *g, const edge *rows, draw_layout layout, arena *scratch);

static inline const draw_node *draw_tree_root(const draw_tree *t) {
  return &t->nodes.items[t->nodes.count - 1];
}

/* A row is chosen when its group is entered and its column is found. */
typedef struct draw_choice {
  edge *entered; /* by group */
  edge *found;   /* by column */
} draw_choice;

/* The row that holds and before which as many hold as `number` says, by group and column. */
draw_choice draw_select(const draw_tree *t, const edge *number);

/* The product of two binary numbers: a_count + b_count bits. */
void draw_multiply(aig *g, const edge *a, uint32_t a_count, const edge *b, uint32_t b_count,
                   edge *product);

/* a < b, both of `count` bits. */
edge draw_is_less(aig *g, const edge *a, const edge *b, uint32_t count);

#endif
