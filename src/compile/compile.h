/* The forward-chaining compiler: from the rules of a game to C.

     program -> strata -> normal -> domains -> inverted -> storage -> C

   after A Forward Chaining Based Game Description Language Compiler (Saffidine and Cazenave).  The
   first stage, mini, is the program itself: its clauses are without `or`, `and` and equality.  Each
   stage has a text form. */
#ifndef TABIA_COMPILE_COMPILE_H
#define TABIA_COMPILE_COMPILE_H

#include "compile/emit/emit.h"
#include "compile/plan/labels.h"

typedef struct compile_options {
  const char *name; /* of the game, for the C text */
  knowledge_base kb;
} compile_options;

typedef enum compile_stage {
  COMPILE_MINI,
  COMPILE_STRATA,
  COMPILE_NORMAL,
  COMPILE_LABELS,
  COMPILE_INVERTED,
  COMPILE_C
} compile_stage;

typedef struct compilation {
  const program *program;
  strata strata;
  sizes sizes;
  normal_program normal;
  labels labels;
  domains domains;
  inverted inverted;
  storage storage;
} compilation;

/* Compiles up to a stage and writes its text.  A program that was translated (frame encodings) is
   compiled like any other.  False: these rules cannot be compiled, or a limit was reached
   (reported). `keep` holds all stages. */
bool compile_game(compilation *c, const program *p, const compile_options *o, compile_stage last,
                  arena *keep, budget *limits, diag_sink *d, text *out);

#endif
