/* Which coordinate is the column, and whether the first row is the lowest.

   Sides that start apart start above each other.  Else letters are columns; else pieces that fall
   tell; else the names of variables; else the first argument is the column.  The first row is the
   lowest where pieces fall to it, where columns are letters and rows are numbers, and where the
   first role starts there. */
#ifndef TABIA_BOARD_ORIENTATION_H
#define TABIA_BOARD_ORIENTATION_H

#include "board/candidates.h"

typedef struct orientation {
  bool is_swapped; /* the first coordinate of the candidate is the row */
  bool rows_up;
} orientation;

orientation orient(const survey *v, const candidate *c, const id_vec *blanks);

#endif
