/* The stage `frame` as text: what is printed of a translation. */
#ifndef TABIA_FRAME_FRAME_WRITE_H
#define TABIA_FRAME_FRAME_WRITE_H

#include "frame/pruning.h"

typedef enum frame_part {
  FRAME_CHANGED, /* the rules that the translation makes */
  FRAME_WHOLE,   /* all rules of the game, so that it can be played as it is then */
  FRAME_STEPS,   /* each step of the translation, explained */
  FRAME_SIZES    /* numbers, as JSON */
} frame_part;

typedef struct frame_write_options {
  frame_cover cover;
  double prove_seconds; /* for the proofs of COVER_PRUNED */
  frame_part part;
  notation notation;
  const char *game; /* its name, for FRAME_SIZES */
} frame_write_options;

/* Translates and writes.  False: the rules cannot be translated, or a limit was reached
   (reported). */
bool frame_write(const program *p, const frame_write_options *o, arena *keep, budget *limits,
                 diag_sink *d, text *out);

#endif
