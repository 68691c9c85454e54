/* Clicks for moves whose arguments name no cell of their own: the cell that only this move of the
   role changes. */
#ifndef TABIA_BOARD_DRAW_PICTURE_EFFECTS_H
#define TABIA_BOARD_DRAW_PICTURE_EFFECTS_H

#include "board/draw/picture.h"

void picture_click_effects(picture *p, machine_workspace *w, const void *position,
                           const id_vec *facts, arena *keep);

/* Marks moves of one role with the same clicks. */
void picture_find_menus(picture *p, arena *scratch);

#endif
