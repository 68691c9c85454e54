/* Boards that are no grids: rows, rings, graphs, places that hold things, and stacks. */
#ifndef TABIA_BOARD_FIND_FIND_ROWS_H
#define TABIA_BOARD_FIND_FIND_ROWS_H

#include "board/evidence/candidates.h"

/* Looks at the shapes that are not drawn yet; `is_drawn` is by shape. */
void find_rows(layout *l, const survey *v, bool *is_drawn, arena *scratch);

#endif
