/* Places the cells of a graph: linked cells near each other, others apart. */
#ifndef TABIA_BOARD_GRAPH_PLACES_H
#define TABIA_BOARD_GRAPH_PLACES_H

#include "board/layout.h"

void graph_place(board *b, arena *scratch);

#endif
