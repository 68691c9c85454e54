/* While legal, goal and terminal are read, no `does` fact holds.  So a relation that depends on
   moves and that these read has two meanings: one without moves, one while moves are made.  It
   becomes two relations: the old one is what holds without moves, a new one (NAME#moves) what holds
   with moves, for next and sees. */
#ifndef TABIA_COMPILE_RULES_SPLIT_BY_MOVES_H
#define TABIA_COMPILE_RULES_SPLIT_BY_MOVES_H

#include "datalog/flat.h"

/* `is_split` is by flat relation: it depends on moves, and is read while there are none.  All
   that such a relation reads and that depends on moves is split, too, or `does` itself. */
void relations_split_by_moves(flat_program *f, const bool *is_split, arena *keep);

#endif
