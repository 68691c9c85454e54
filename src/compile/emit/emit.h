/* Writes a game as C17: a file that needs nothing but tabia_game.h and tabia_runtime.h.

   It defines one function, `const tabia_game *tabia_game_NAME(void)`, or the name in the macro
   TABIA_GAME instead.  The rule from which a piece of code comes is in a comment above it. */
#ifndef TABIA_COMPILE_EMIT_EMIT_H
#define TABIA_COMPILE_EMIT_EMIT_H

#include "compile/plan/storage.h"

bool emit_game(const storage *s, const char *name, arena *keep, budget *limits, text *out);

/* The part of a file or game name that can stand in a C name. */
const char *emit_identifier(const char *name, arena *keep);

#endif
