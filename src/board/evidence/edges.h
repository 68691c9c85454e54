/* Lines between neighbouring cells: (line 1 1 1 2), four coordinates of which two and two are
   neighbours. */
#ifndef TABIA_BOARD_EVIDENCE_EDGES_H
#define TABIA_BOARD_EVIDENCE_EDGES_H

#include "board/evidence/candidates.h"

/* True: the facts of the shape are such lines, and *c says how. */
bool edges_in_shape(const survey *v, shape_id s, candidate *c);

/* The same for sides of cells, as in (drawn across 1 1) and (drawn upright 1 1): a column of two
   values, of which one has a row more, and the other a column more. */
bool sides_in_shape(const survey *v, shape_id s, candidate *c);

#endif
