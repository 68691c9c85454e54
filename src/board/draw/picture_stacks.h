/* Things that stand on each other, each at the height that it has in this state. */
#ifndef TABIA_BOARD_DRAW_PICTURE_STACKS_H
#define TABIA_BOARD_DRAW_PICTURE_STACKS_H

#include "board/draw/picture.h"

void picture_stack(picture_board *b, const samples *s, arena *scratch);

#endif
