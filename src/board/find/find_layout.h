/* The layout of a game, from what is known of it. */
#ifndef TABIA_BOARD_FIND_FIND_LAYOUT_H
#define TABIA_BOARD_FIND_FIND_LAYOUT_H

#include "board/layout.h"

void find_layout(layout *l, const survey *v, arena *keep);

#endif
