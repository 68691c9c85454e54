/* A game as a whole Prolog program with a naive minimax search, for SWI-Prolog: the experiment of
   the paper on a reasoner like theirs.

   The state is kept as facts.  With the original encoding every state is computed anew and
   replaced; with a translated one what is lost is retracted and what is gained is asserted, and
   after the search below a state both are undone. */
#ifndef TABIA_FRAME_PROLOG_GAME_H
#define TABIA_FRAME_PROLOG_GAME_H

#include "frame/encoding.h"

void prolog_game_write(const encoded_program *e, text *out);

#endif
