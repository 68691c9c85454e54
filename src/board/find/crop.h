/* Boards of which play only ever uses a corner: the rest is left out. */
#ifndef TABIA_BOARD_FIND_CROP_H
#define TABIA_BOARD_FIND_CROP_H

#include "board/layout.h"

/* Shortens both axes to what facts of the layer were seen on, where that is at most 60 % of each
   and most of it was filled from the start. */
void board_crop(board *b, const survey *v, const board_layer *l);

#endif
