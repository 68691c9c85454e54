/* Which encoding of a game is the fastest on a machine? Each is opened, and they take turns: all
   make the same part of a random walk (with the successors of each state, if a search is planned),
   then all make the next part.  They are compared by the median over parts of the ratio of their
   times, so that a disturbance of some parts has no effect.  So the choice costs a moment, and is
   never much slower than the best. */
#ifndef TABIA_MACHINE_PORTFOLIO_H
#define TABIA_MACHINE_PORTFOLIO_H

#include "frame/encoding.h"
#include "machine/machine.h"

/* The usual moment for each encoding, in seconds of processor time. */
#define PORTFOLIO_SECONDS 0.1

typedef struct portfolio_task {
  const char *kind; /* the name of a machine or "auto" */
  const machine_source *source;
  frame_scope scope;
  uint32_t depth; /* of the search that is to come; 0: games are to be played */
  double seconds; /* for the trial of each encoding */
} portfolio_task;

typedef struct portfolio {
  encoded_program encodings[ENCODING_COUNT];
  /* By that of the first that could be run; 0: it could not be run, or is like one before it. */
  double relative_time[ENCODING_COUNT];
  frame_encoding best;
} portfolio;

/* Fills `p` in place. */
void portfolio_choose(portfolio *p, const portfolio_task *task, arena *keep, budget *limits);

#endif
