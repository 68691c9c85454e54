/* Tints cells that static facts name: goals, safe squares, colours.  Only if a rule asks for the
   fact about a cell of the board, and if the facts do not cover most of the board. */
#ifndef TABIA_BOARD_FIND_TINTS_H
#define TABIA_BOARD_FIND_TINTS_H

#include "board/layout.h"

/* The cells must be in their last order. */
void board_find_tints(board *b, const survey *v, arena *keep);

#endif
