/* Faults of a game that show only in play: what is wrong, for which role, in which state, and
   the moves that lead there. */
#ifndef TABIA_MACHINE_FAULT_H
#define TABIA_MACHINE_FAULT_H

#include "machine/machine.h"

typedef enum fault_kind {
  FAULT_NONE,
  FAULT_STUCK,        /* a role has no legal move in a state that is not terminal */
  FAULT_NO_GOAL,      /* a role has no goal in a terminal state */
  FAULT_SEVERAL_GOALS /* likewise: more than one */
} fault_kind;

typedef struct game_fault {
  fault_kind kind;
  uint32_t role;
  const void *position; /* NULL: nobody had the time to find out where it was */
  const move_id *line;  /* length * role_count moves */
  uint32_t length;
} game_fault;

/* A copy whose position and line live in `keep`. */
game_fault fault_copy(const game_fault *f, const machine *m, arena *keep);

/* Some lines for a person, with the last FAULT_MOVES_SHOWN joint moves at the most. */
enum { FAULT_MOVES_SHOWN = 40 };
void fault_describe(const game_fault *f, const machine *m, text *out);

#endif
