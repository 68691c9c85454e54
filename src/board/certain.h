/* Is it proved that a board is one: that no two facts of its first layer stand on one cell, in any
   state that play leads to?  Each cell proposes a group of fluents of which at most one holds, and
   all are proved together by induction (induct/induct.h). */
#ifndef TABIA_BOARD_CERTAIN_H
#define TABIA_BOARD_CERTAIN_H

#include "board/layout.h"
#include "circuit/circuit.h"

/* Sets board.is_certain where that is proved; the circuit is that of the machine. */
void layout_prove(layout *l, const samples *s, const circuit *c, budget *limits);

#endif
