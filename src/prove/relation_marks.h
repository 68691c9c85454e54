/* A game with marks (program.mark) for some of its relations, which hold where their atoms do.

   Ground rules and circuits have the atoms of `legal`, `goal`, `terminal`, `next` and `sees`, and
   of other relations only as these need them.  With marks they have all. */
#ifndef TABIA_PROVE_RELATION_MARKS_H
#define TABIA_PROVE_RELATION_MARKS_H

#include "base/bitset.h"
#include "rules/program.h"

/* By relation: it is defined by rules or facts, is none of the keywords, and does not depend on
   moves.  So it holds or does not hold in a state. */
bitset relations_of_states(const program *p, arena *keep);

/* Adds to `named` those of these relations whose names stand in a formula in canonical KIF. */
void relations_named(const program *p, bitset of_states, const char *formula, bitset named,
                     arena *scratch);

/* A name for marks that the rules do not have. */
symbol_id mark_name(const program *p, const char *stem);

/* The game with marks for these relations: their arguments are the atoms. */
void relations_mark(program *out, const program *p, bitset marked, arena *keep);

#endif
