/* Which encoding of a game is the fastest on a machine?  Each is opened and plays random games for
   a moment, trying several successors of each state where a search is to come; the one that makes
   the most steps is taken.  So the choice costs that moment and is never much slower than the best.
 */
#ifndef TABIA_MACHINE_PORTFOLIO_H
#define TABIA_MACHINE_PORTFOLIO_H

#include "frame/encoding.h"
#include "machine/machine.h"

/* The usual moment for each encoding, in seconds of processor time. */
#define PORTFOLIO_SECONDS 0.1

typedef struct portfolio {
  encoded_program encodings[ENCODING_COUNT];
  double steps_per_second[ENCODING_COUNT]; /* 0: it could not be run, or is like one before it */
  frame_encoding best;
} portfolio;

/* Fills `c` in place; `kind` is the name of a machine or "auto". */
void portfolio_choose(portfolio *c, const char *kind, const machine_source *source,
                      frame_scope scope, double seconds, arena *keep, budget *limits);

#endif
