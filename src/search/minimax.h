/* The whole tree of play to some depth, and what it is worth.

   Every way to play is walked: equal states are not merged, so that the counts of the plain search
   are those of perft.  A leaf is a terminal state, which is worth its goals, or a state at full
   depth, which is worth HORIZON_VALUE to everybody if it is not terminal.

   Values are backed up like this.  The role `random` draws its moves uniformly: a state is worth
   the mean over them.  A role can make sure of the best over its own moves of the worst over all
   moves of the others, as if they knew its move (pure maximin).  Where one role at a time chooses,
   that is what it can guarantee.  Where several choose at once it may guarantee more by drawing its
   moves at random, so it is a lower bound; the worst over the moves of the others of the best over
   its own, as if it knew theirs (pure minimax), is an upper one.  In a game of more than two roles
   where one at a time chooses, it takes what is best for itself (the first of equals), and that is
   worth to the others what it is worth to them (max-n).

   All of that is about roles that know the state.  Where they know only what they see (GDL-II) such
   values mean nothing, and bound nothing.

   With alpha-beta each role's lower bound is searched for by itself, and what cannot change it,
   goals being 0 to 100, is not visited; the nodes are those of all searches.  It is for games of
   one or two roles besides `random`: there the values are the same. */
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
  const void *start;  /* where to begin; NULL: at the start of the game */
  progress *progress; /* or NULL */
} minimax_options;

/* What the values are. */
typedef enum minimax_sense {
  MINIMAX_BEST,      /* one role chooses: the most it can get */
  MINIMAX_GUARANTEE, /* what each role can make sure of, whatever the others do */
  MINIMAX_BOUND,     /* roles choose at once: `values` <= what each can guarantee <= `most` */
  MINIMAX_MAX_N      /* what each role gets when each takes the best for itself */
} minimax_sense;

typedef struct minimax_result {
  uint64_t *nodes; /* by depth, 0 .. depth: states visited */
  uint64_t total;  /* of nodes */
  double *values;  /* by role, at the start; of `random` it says nothing */
  double *most;    /* by role, of MINIMAX_BOUND; NULL: upper bounds were not computed */
  minimax_sense sense;
  bool has_chance;  /* `random` had a choice: values are expectations */
  bool reaches_end; /* no leaf was cut off by the depth */
  uint64_t faults;  /* leaves where a role cannot move, or has several goals or none */
  game_fault fault; /* the first of them, if there is any */
} minimax_result;

const char *minimax_sense_name(minimax_sense s); /* "lower-bound" */

/* Are the values what they are called, neither bounds nor cut off by the depth? */
static inline bool minimax_is_exact(const minimax_result *r) {
  return r->reaches_end && r->sense != MINIMAX_BOUND;
}

/* Must roles choose without knowing the state?  The rules say what they see; a role that is alone,
   without chance, can work out the rest. */
bool has_imperfect_information(const program *p, const machine *m);

/* Roles that choose: all but `random`. */
uint32_t minimax_choosers(const machine *m);

/* False: trouble, or the budget is spent: the workspace has it, and the values mean nothing. */
bool minimax(minimax_result *r, const machine *m, machine_workspace *w, const minimax_options *o,
             arena *keep);

#endif
