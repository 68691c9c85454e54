/* The whole tree of play to some depth, and what it is worth.

   Every way to play is walked: equal states are not merged, so that the counts of the plain search
   are those of perft.  A leaf is a terminal state, which is worth its goals, or a state at full
   depth, which is worth HORIZON_VALUE to everybody if it is not terminal.

   Values are backed up like this.  The role `random` draws its moves uniformly: a state is worth
   the mean over them.  In a game of one or two others, and wherever several choose at once, a role
   is worth what it can make sure of: the best over its own moves of the worst over all moves of the
   others, as if they knew its move.  That is the maximum for one role, minimax by each role's own
   goal where two take turns, and a bound from below for moves at once.  In a game of more roles,
   where one alone chooses, it takes what is best for itself (the first of equals), and that is
   worth to the others what it is worth to them (max-n).

   With alpha-beta each role's value is searched for by itself, as what it can make sure of, and
   what cannot change it, goals being 0 to 100, is not visited; the nodes are those of all searches.
   It is for games of one or two roles besides `random`: there the values are the same. */
#ifndef TABIA_SEARCH_MINIMAX_H
#define TABIA_SEARCH_MINIMAX_H

#include "base/progress.h"
#include "machine/fault.h"

#define HORIZON_VALUE 50.0

enum { MINIMAX_DEPTH_MAX = 1000 };

typedef struct minimax_options {
  uint32_t depth;       /* at most MINIMAX_DEPTH_MAX */
  bool ignore_terminal; /* play on in terminal states, where there are moves */
  bool alpha_beta;
  progress *progress; /* or NULL */
} minimax_options;

typedef struct minimax_result {
  uint64_t *nodes;  /* by depth, 0 .. depth: states visited */
  uint64_t total;   /* of nodes */
  double *values;   /* by role, at the start */
  bool is_exact;    /* no leaf was cut off by the depth */
  uint64_t faults;  /* leaves where a role cannot move, or has several goals or none */
  game_fault fault; /* the first of them, if there is any */
} minimax_result;

/* Roles that choose: all but `random`. */
uint32_t minimax_choosers(const machine *m);

/* False: trouble, or the budget is spent: the workspace has it, and the values mean nothing. */
bool minimax(minimax_result *r, const machine *m, machine_workspace *w, const minimax_options *o,
             arena *keep);

#endif
