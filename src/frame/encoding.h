/* The encodings of a game, for code that runs or grounds it.

     original   the rules as they are
     direct     frame rules translated with the direct covering
     pruned     with the pruned covering, as far as it is proved in time

   A machine asks for an encoding and gets a program that is equivalent to the source in every
   reachable state.  There is always a program: a game that cannot be translated is returned
   unchanged, and `used` says so. */
#ifndef TABIA_FRAME_ENCODING_H
#define TABIA_FRAME_ENCODING_H

#include "base/budget.h"
#include "frame/frame_program.h"

typedef enum frame_encoding {
  ENCODING_ORIGINAL,
  ENCODING_DIRECT,
  ENCODING_PRUNED,
  ENCODING_COUNT
} frame_encoding;

const char *frame_encoding_name(frame_encoding e); /* "direct" */

typedef struct encoded_program {
  frame_encoding used; /* less than was wanted where the game has no frame rules or is declined */
  const program *program; /* plain rules, whatever was used */
  /* of a translated one: */
  frame_program frame; /* what `program` points to */
  program changes;     /* for a machine that updates its state: see frame.h, frame_write_changes */
  double seconds;      /* that the translation took */
} encoded_program;

/* `e` is filled in place and not copied; `p` must outlive it. */
void frame_encode(encoded_program *e, const program *p, frame_encoding wanted, frame_scope scope,
                  arena *keep, budget *limits);

#endif
