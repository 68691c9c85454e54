/* The stage `bases` as text: base and input facts. */
#ifndef TABIA_GROUND_BASES_PRINT_H
#define TABIA_GROUND_BASES_PRINT_H

#include "ground/bases.h"

typedef enum bases_format {
  BASES_AS_KIF,
  BASES_AS_JSON /* {"base":[FLUENT, ...],"input":[[ROLE, MOVE], ...]} */
} bases_format;

void bases_print(const bases *b, bases_format format, const char *game, arena *scratch, text *out);

#endif
