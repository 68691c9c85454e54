/* Writes a game as C17: a file that needs nothing but tabia_game.h and tabia_runtime.h.

   It defines one function, `const tabia_game *tabia_game_NAME(void)`, or what the macro TABIA_GAME
   says instead of tabia_game_NAME.  Above each piece of code stands the rule that it comes from. */
#ifndef TABIA_COMPILE_EMIT_EMIT_H
#define TABIA_COMPILE_EMIT_EMIT_H

#include "compile/plan/storage.h"

bool emit_game(const storage *s, const char *name, arena *keep, budget *limits, text *out);

/* The part of a file or game name that can stand in a C name. */
const char *emit_identifier(const char *name, arena *keep);

#endif
