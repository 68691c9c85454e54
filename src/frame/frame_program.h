/* A translated game as a program; for code that runs it and needs nothing of its derivation. */
#ifndef TABIA_FRAME_FRAME_PROGRAM_H
#define TABIA_FRAME_FRAME_PROGRAM_H

#include "rules/program.h"

/* Which states the translation must be right in. */
typedef enum frame_scope {
  SCOPE_GAMES,  /* those of games: reached without going on from a terminal state */
  SCOPE_PLAY_ON /* those behind terminal states, too: for searches that play on */
} frame_scope;

/* The state transition (8), as a whole rulesheet that can take the place of the source wherever
   reachable states and legal moves are concerned:

     next(f) <= what the rules other than frame rules say
     next(f) <= true(f), not fnext(f)          for every translated fluent name that can stay

   This is what a grounder, a circuit or any machine that knows nothing of frames takes. */
typedef struct frame_program {
  program program;
  symbol_id fnext;
  clause_id first_inertia; /* the last clauses of the program: what stays */
  uint32_t inertia_count;
} frame_program;

#endif
