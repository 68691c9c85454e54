/* Searches the whole game tree to some depth for its value.

   Every line of play is visited: equal states are not merged, so that the counts of the plain
   search are those of perft.  A leaf is a terminal state, whose values are its goals, or a state at
   full depth that is not terminal, whose value is HORIZON_VALUE for every role.

   Values are backed up as follows. The role `random` draws its moves uniformly: the value is the
   mean over them. The value of a role is the maximum over its own moves of the minimum over all
   moves of the others, as if they knew its move (pure maximin). If one role at a time chooses, that
   is what the role can guarantee. If several choose simultaneously, it may guarantee more by mixing
   its moves, so this is a lower bound; the minimum over the moves of the others of the maximum over
   its own (pure minimax) is an upper bound. In a game of more than two roles in which one at a time
   chooses, each takes the best move for itself (the first of equally good ones), and the other
   roles get their values after that move (max-n).

   All of this assumes that roles know the state. If they know only what they see (GDL-II), such
   values mean nothing, and are no bounds.

   With alpha-beta there is a separate search for the lower bound of each role, which prunes what
   cannot change it, goals being 0 to 100; the nodes are those of all searches. It is for games of
   one or two roles besides `random`, for which it gives the same values. */
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
