/* Walls beside cells: facts such as (blockednorth 3 4), of states or of the rules. */
#ifndef TABIA_BOARD_FIND_WALLS_H
#define TABIA_BOARD_FIND_WALLS_H

#include "board/layout.h"

/* Finds the layers of the board that are walls, and the walls of the rules.  Walls on upper sides
   tell which way is up. */
void board_find_walls(board *b, const survey *v, arena *keep);

#endif
