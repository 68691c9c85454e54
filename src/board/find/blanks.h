/* Which value of a full board means that a cell is empty. */
#ifndef TABIA_BOARD_FIND_BLANKS_H
#define TABIA_BOARD_FIND_BLANKS_H

#include "board/evidence/candidates.h"

id_vec find_blanks(const survey *v, const candidate *c, arena *keep);

#endif
