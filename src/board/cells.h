/* Which cells a board has, and where they lie. */
#ifndef TABIA_BOARD_CELLS_H
#define TABIA_BOARD_CELLS_H

#include "board/evidence/survey.h"
#include "board/layout.h"

/* Adds the cells that facts of the layer can stand on: those of all facts that there can be; where
   every state has the same cells, those. */
void board_add_cells_of(board *b, const survey *v, const board_layer *l, arena *keep);

/* The boxes between lines, or the dots that they join. */
void board_add_cells_of_lines(board *b, arena *keep);

/* Gives every cell its place, unless the board has places; links of graphs must be there. */
void board_place_cells(board *b, arena *scratch);

/* Puts cells that have their places in the order of reading: row by row, from the left.  There must
   be no links yet. */
void board_sort_cells(board *b, arena *keep);

/* How wide and high all of it is, in cells. */
void board_extent(const board *b, double *width, double *height);

#endif
