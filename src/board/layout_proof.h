/* Proves for boards that no cell ever holds two facts of the first layer, in any reachable state.
   Each cell proposes a group of fluents of which at most one holds, and all are proved together by
   induction (induct/induct.h). */
#ifndef TABIA_BOARD_LAYOUT_PROOF_H
#define TABIA_BOARD_LAYOUT_PROOF_H

#include "board/layout.h"
#include "circuit/circuit.h"

/* Sets board.is_certain where that is proved; the circuit is that of the machine. */
void layout_prove(layout *l, const samples *s, const circuit *c, budget *limits);

#endif
