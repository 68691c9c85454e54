/* Random games on any machine.

   Playout number n of a seed is always the same game, whichever thread plays it: its random numbers
   are stream n of the seed, and each role's move is drawn with rng_below from its legal moves, role
   by role.  A machine that plays in bulk, like `lanes`, plays different games (bulk_playouts.h),
   which are the same for one seed and any number of threads.

   A game in progress when the budget is spent is abandoned.  When the time for playing is over, it
   may continue for a quarter of that time, and is then abandoned.

   A game with a fault is not counted: some role cannot move in a state that is not terminal, or has
   several goals or none in one that is.  `random` needs no goal. */
#ifndef TABIA_SEARCH_PLAYOUT_H
#define TABIA_SEARCH_PLAYOUT_H

#include "base/progress.h"
#include "base/rng.h"
#include "machine/fault.h"

typedef enum playout_end {
  PLAYOUT_TERMINAL,
  PLAYOUT_FAULTY,   /* player.fault says why */
  PLAYOUT_TOO_LONG, /* max_steps was reached */
  PLAYOUT_STOPPED,  /* the budget of the workspace is spent */
  PLAYOUT_TROUBLE   /* the workspace has it */
} playout_end;

/* How much there was to choose, summed over the states in which moves were made. */
typedef struct play_choices {
  uint64_t by_none;    /* states in which no role had more than one move */
  uint64_t by_one;     /* exactly one had */
  uint64_t by_several; /* they chose at once */
  double joint_moves;  /* legal joint moves: the product over all roles */
  uint64_t who; /* bit i: role i had more than one move once; roles from 64 on are not told */
} play_choices;

/* What one thread plays with. */
typedef struct player {
  const machine *m;
  machine_workspace *w;
  arena *keep;
  const void *start;    /* where playouts begin; NULL, as at first: at the start of the game */
  void *position;       /* where the last playout ended */
  VEC(move_id) line;    /* of the last playout: length * role_count moves */
  VEC(move_id) moves;   /* scratch */
  uint32_t length;      /* steps of the last playout */
  int32_t *goals;       /* by role, after PLAYOUT_TERMINAL; GOAL_NONE: `random` has not just one */
  play_choices choices; /* of the last playout */
  game_fault fault;     /* after PLAYOUT_FAULTY; points into this player */
} player;

void player_init(player *p, const machine *m, machine_workspace *w, arena *keep);
playout_end playout(player *p, rng *r, uint64_t max_steps); /* max_steps 0: no limit */

/* ---- many of them ---- */

enum { GOAL_VALUES = 101 }; /* 0 .. 100; other values count for the mean alone */

typedef struct role_score {
  uint64_t games; /* in which it had a goal: all that count, but for `random` */
  int64_t sum;
  uint64_t histogram[GOAL_VALUES];
} role_score;

typedef struct playout_options {
  uint64_t seed;
  uint64_t count;     /* playouts to start; 0: until the budget is spent */
  uint64_t max_steps; /* 0: no limit */
  bool counter;       /* random numbers as lane_counter.h says; of `lanes` and `gpu` */
  const void *start;  /* where all begin; NULL: at the start of the game */
  uint32_t threads;   /* at least 1 */
  /* Play the playouts, or in bulk the parts, whose numbers leave `share` when divided by `shares`;
     0: all. */
  uint64_t share, shares;
  double seconds;     /* stop after this time; 0: no limit */
  progress *progress; /* or NULL */
} playout_options;

typedef struct playout_summary {
  uint64_t playouts; /* that came to a sound end: only they are counted below */
  uint64_t states;   /* that were reached by a move */
  uint64_t length_squares;
  uint64_t shortest, longest;
  play_choices choices;        /* not counted by machines that play in bulk */
  role_score *roles;           /* NULL: no games were played */
  int64_t least_sum, most_sum; /* of the goals of all roles but `random` in one game; least > most:
                                  not known, as in bulk */
  uint64_t too_long;           /* not counted: max_steps was reached */
  uint64_t faults[FAULT_SEVERAL_GOALS + 1]; /* not counted, by kind */
  uint64_t first_fault; /* the number of the first faulty playout; in bulk, of its part */
  game_fault fault;     /* of that playout; FAULT_NONE: there was none */
  double time;          /* seconds */
} playout_summary;

/* The number of what is taken as the nth. */
static inline uint64_t playouts_number(const playout_options *o, uint64_t n) {
  return o->shares ? n * o->shares + o->share : n;
}

/* Has the role goals to report?  `random` need not.  Their mean, in the games in which it has. */
bool playouts_has_goals(const playout_summary *s, const machine *m, uint32_t role);
double playouts_mean_goal(const playout_summary *s, uint32_t role);

/* The budget of one of o->threads threads: its share of `limits`, and no longer than it may play.
   When that is spent, is it because the time for playing is over, which is no limit? */
budget playouts_budget(const playout_options *o, const budget *limits);
bool playouts_are_over(const budget *of_thread, const budget *limits);

/* Plays until the count, the time or the budget is reached.  False: `d` says what is wrong; the
   summary holds what was done before.  That no game came to an end in the time is trouble, too. */
bool playouts_run(playout_summary *s, const machine *m, const playout_options *o, budget *b,
                  arena *keep, diag_sink *d);

#endif
