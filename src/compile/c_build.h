/* From the C text of a game to object code, by the C compiler of the machine. */
#ifndef TABIA_COMPILE_C_BUILD_H
#define TABIA_COMPILE_C_BUILD_H

#include "base/budget.h"
#include "base/text.h"

/* The two headers that a compiled game includes. */
extern const char c_game_header[];    /* tabia_game.h */
extern const char c_runtime_header[]; /* tabia_runtime.h */

typedef enum c_product { C_OBJECT, C_SHARED } c_product;

typedef struct c_build_options {
  c_product product;
  uint32_t level;               /* of optimisation: 0 .. 3 */
  const char *symbol;           /* what the game's function is called; NULL: as its text says */
  const char *output;           /* path */
  const char *temporary_folder; /* for files that the compiler makes on its way; NULL: the usual */
} c_build_options;

/* The C text with its headers in it: all that a compiler needs. */
void c_write_whole(const text *game, text *out);

/* Compiles a whole C text.  False: there is no C compiler (E807), it failed (E808), or a limit was
   reached.  The output is written by the compiler: give a path that nobody reads yet. */
bool c_build(const text *whole, const c_build_options *o, arena *keep, budget *limits,
             diag_sink *d);

#endif
