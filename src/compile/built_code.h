/* Object code of a game in memory.  The C compiler writes it to a temporary file, so that a failure
   leaves the user's files untouched. */
#ifndef TABIA_COMPILE_BUILT_CODE_H
#define TABIA_COMPILE_BUILT_CODE_H

#include "compile/c_build.h"

/* `game`: the C text as the compiler writes it.  False: reported, as c_build does. */
bool c_build_code(const text *game, c_product product, uint32_t level, arena *keep, budget *limits,
                  diag_sink *d, text *code);

#endif
