/* Counts lines of play: sequences of joint moves from the start, by length.

   Equal states of one depth are expanded once and stand for all lines that lead to them, so the
   counts are those of a plain tree walk at the cost of the distinct states.  Terminal states are
   not expanded, unless that is requested.  If a role cannot move in a state that is not terminal,
   the game has a fault, and the state is not expanded. */
#ifndef TABIA_SEARCH_PERFT_H
#define TABIA_SEARCH_PERFT_H

#include "base/progress.h"
#include "machine/fault.h"

typedef struct perft_options {
  uint32_t depth;
  bool ignore_terminal; /* play on in terminal states, where there are moves */
  bool divide;          /* also count behind each first joint move */
  uint32_t threads;     /* 0 is 1; the counts do not depend on it */
  const void *start;    /* where to begin; NULL: at the start of the game */
  progress *progress;   /* or NULL */
} perft_options;

/* The ways that begin with one joint move. */
typedef struct perft_part {
  move_id *joint;
  uint64_t nodes; /* of full depth */
} perft_part;

typedef struct perft_result {
  uint64_t *nodes;  /* by depth, 0 .. depth_done: ways */
  uint64_t *unique; /* by depth: distinct states */
  uint64_t total;   /* of nodes */
  uint64_t stuck;   /* ways that end where a role cannot move */
  VEC(perft_part) parts;
  uint32_t depth_done; /* nodes and unique are right up to here */
  game_fault fault;    /* one way to a role that cannot move, if there is any */
} perft_result;

/* False: trouble, or the budget is spent: the workspace has it.  Other threads have workspaces of
   their own. */
bool perft(perft_result *r, const machine *m, machine_workspace *w, const perft_options *o,
           arena *keep);

#endif
