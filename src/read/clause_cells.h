/* A clause in infix notation while it is read: cells that are linked as first child and next
   sibling, so that parts can be put into lists in any order.  The finished clause is written out in
   the order of KIF. */
#ifndef TABIA_READ_CLAUSE_CELLS_H
#define TABIA_READ_CLAUSE_CELLS_H

#include "read/tree.h"

typedef uint32_t cell_id;

#define CELL_NONE UINT32_MAX
#define SYM_FRESH (SYM_NONE - 1) /* a `_` that has no name yet */

typedef struct cell {
  symbol_id symbol; /* SYM_NONE: a list */
  span where;
  cell_id first; /* element of a list */
  cell_id last;
  cell_id next;  /* element of the list around */
  bool is_chain; /* of infix `,` or `or`, which may still grow */
} cell;

/* A list that is being written: its cell, and its node, whose end is not known yet. */
typedef struct cell_writing {
  cell_id cell;
  node_id node;
} cell_writing;

typedef struct clause_cells {
  arena *scratch;
  VEC(cell) all;
  VEC(cell_writing) lists; /* of cells_write */
} clause_cells;

static inline cell *cell_at(const clause_cells *c, cell_id id) {
  assert(id < c->all.count);
  return &c->all.items[id];
}

cell_id cell_new(clause_cells *c, symbol_id symbol, span where);
cell_id cell_new_list(clause_cells *c, symbol_id functor, span where);

/* Adds an element to a list, whose place in the text grows. */
void cell_append(clause_cells *c, cell_id list, cell_id element);

/* The first name of a list; of a name it. */
symbol_id cell_functor(const clause_cells *c, cell_id id);

/* Gives every `_` a name ?_1, ?_2, ... that the clause does not have. */
void cells_name_fresh(clause_cells *c, symbol_table *symbols);

/* Adds the nodes of the clause to the tree. */
void cells_write(clause_cells *c, cell_id root, tree *t, arena *keep);

#endif
