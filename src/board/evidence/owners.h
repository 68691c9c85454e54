/* Whose a piece is, by its name: a role's own name, alone or as a part (white, white_pawn,
   pawnWhite), or its first letter in a short name (wp). */
#ifndef TABIA_BOARD_EVIDENCE_OWNERS_H
#define TABIA_BOARD_EVIDENCE_OWNERS_H

#include "board/evidence/samples.h"

#define OWNER_NONE UINT32_MAX

uint32_t owner_of(const samples *s, value_id v); /* the number of a role */

#endif
