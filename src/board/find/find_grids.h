/* Boards of columns and rows, and the layers that lie on each of them. */
#ifndef TABIA_BOARD_FIND_FIND_GRIDS_H
#define TABIA_BOARD_FIND_FIND_GRIDS_H

#include "board/evidence/candidates.h"

/* Adds boards; `is_drawn` is by shape. */
void find_grids(layout *l, const survey *v, bool *is_drawn, arena *scratch);

/* Adds the candidate to a board on which it fits; false: there is none. */
bool layout_join(layout *l, const survey *v, const candidate *c, arena *scratch);

/* Adds a board with one layer. */
board *layout_add_grid(layout *l, const survey *v, const candidate *c, arena *scratch);

#endif
