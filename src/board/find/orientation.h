/* Which coordinate is the column, and whether the first row is the lowest.

   The first rule that applies decides: the sides of the players are above each other; letters are
   columns; pieces fall along a column; names of variables; the first argument is the column.  The
   first row is the lowest if pieces fall to it, if columns are letters and rows are numbers, or if
   the first role starts there. */
#ifndef TABIA_BOARD_FIND_ORIENTATION_H
#define TABIA_BOARD_FIND_ORIENTATION_H

#include "board/evidence/candidates.h"

typedef struct orientation {
  bool is_swapped; /* the first coordinate of the candidate is the row */
  bool rows_up;
} orientation;

orientation orient(const survey *v, const candidate *c, const id_vec *blanks);

#endif
