/* The legal moves of a state, and the clicks that make them. */
#ifndef TABIA_BOARD_DRAW_PICTURE_MOVES_H
#define TABIA_BOARD_DRAW_PICTURE_MOVES_H

#include "board/draw/picture.h"

void picture_add_moves(picture *p, machine_workspace *w, const void *position, const id_vec *facts,
                       arena *keep);

#endif
