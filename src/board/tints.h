/* What facts of the rules say of cells: goals, safe squares, colours.  Only where a rule asks the
   relation about a cell of the board, and where the facts are not about most of it. */
#ifndef TABIA_BOARD_TINTS_H
#define TABIA_BOARD_TINTS_H

#include "board/layout.h"

/* The cells must be in their last order. */
void board_find_tints(board *b, const survey *v, arena *keep);

#endif
