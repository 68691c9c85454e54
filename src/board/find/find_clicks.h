/* Which clicks make a move: arguments one behind another that name a cell, ranked by how often that
   cell changed when the move was made. */
#ifndef TABIA_BOARD_FIND_FIND_CLICKS_H
#define TABIA_BOARD_FIND_FIND_CLICKS_H

#include "board/layout.h"

/* Adds a rule for each shape of moves; the boards must be there. */
void find_clicks(layout *l, const survey *v, arena *scratch);

#endif
