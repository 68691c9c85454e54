/* Do the rules speak of a board of hexagons?  Written as a skewed grid, a cell and its neighbours
   differ by (1,0), by (0,1), and along one of the two diagonals. */
#ifndef TABIA_BOARD_EVIDENCE_HEXAGONS_H
#define TABIA_BOARD_EVIDENCE_HEXAGONS_H

#include "board/evidence/statics.h"

/* -1: neighbours differ by (1,-1), too; 1: by (1,1); 0: the rules speak of no hexagons. */
int rules_hexagon_skew(const program *p);

/* The same by facts such as (adj a1 b2), between names that have coordinates. */
int facts_hexagon_skew(const statics *s, const names *values);

#endif
