/* A question as an AIGER file (binary format 1.0): other model checkers can answer it.

   One output: the target is reached.  Each role has an input for each of its moves but the last;
   the first of them that holds is the move made, and if none does it is the last.  A latch `valid`
   falls when a move is made that is not legal or the game has ended, so that only lines of play
   count.  Latches that begin true are stored negated: all begin with 0.  Inputs, latches and the
   output have their names in the symbol table. */
#ifndef TABIA_PROVE_AIGER_H
#define TABIA_PROVE_AIGER_H

#include "circuit/circuit.h"

/* `target`: a target of the circuit.  False: a recursive component is too large to be written out,
   and `complaint` says so. */
bool aiger_write(const circuit *c, uint32_t target, const char *name, text *out,
                 const char **complaint);

#endif
