/* Solving: the value of a game for each role, from all of its states.

   Strong solutions exist for games in which roles know the state, with one role, or two in turn,
   cycles included (turns.h); with two that choose at once, chance, or more than two in turn, if
   every play ends (mixed.h); and for one or two roles that know only what they see (hidden.h),
   where `states` counts the nodes of the tree.  Other games are declined, with the reason.

   If there are too many states: a weak solution (weak.h); for one role, in a game with independent
   parts, a solution by parts (parts.h). */
#ifndef TABIA_SOLVE_SOLVE_H
#define TABIA_SOLVE_SOLVE_H

#include "search/minimax.h"
#include "solve/database_make.h"
#include "solve/hidden.h"
#include "solve/mixed.h"
#include "solve/turns.h"

typedef enum solve_method {
  SOLVE_AUTO,   /* by parts, if there are any and many states; else strongly; else weakly; each
                   attempt but the last within half of the limits */
  SOLVE_STRONG, /* also of roles that know only what they see */
  SOLVE_WEAK,
  SOLVE_BY_PARTS /* one role, independent parts (parts.h) */
} solve_method;

typedef struct solve_options {
  solve_method method;
  uint32_t threads;     /* at least 1 */
  uint64_t max_states;  /* 0: no limit */
  bool is_hidden;       /* roles know only what they see */
  bool by_symmetry;     /* keep one of symmetric states; not with a database, files or ranks */
  const char *database; /* a folder for the values of all states; or NULL */
  checkpoint_wish checkpoint; /* from which a stopped run resumes */
  const exchange *others;     /* several processes share the work, and all have the same result; or
                             NULL */
} solve_options;

/* What is known. */
typedef enum solve_kind {
  SOLUTION_STRONG,     /* the value of every state that can be reached */
  SOLUTION_WEAK,       /* the value of the start */
  SOLUTION_BY_PARTS,   /* the same, its best moves and its remoteness */
  SOLUTION_EQUILIBRIUM /* how to play from the start without knowing the state */
} solve_kind;

typedef struct solve_result {
  bool is_solved;
  solve_kind kind;
  const char *reason; /* it is declined; or NULL */
  minimax_sense sense;
  double *values; /* by role; meaningless for `random` */
  double gap;     /* no value is farther than this from the truth; 0: exact */
  bool has_chance;
  bool has_endless; /* some value rests on play without end */
  bool has_remoteness;
  uint32_t remoteness;
  mixed_plan *plans; /* by role: its best moves at the start, and how often to make each.  Moves are
                        numbered as the machine does */
  id_vec line;       /* a move of each role for each step, likewise; empty where there is none */
  uint32_t length;
  bool has_failed_ranks; /* one of them failed or stopped */
  uint64_t states, ends; /* that can be reached; of a solution by parts, those of all parts; 0 of a
                            weak one */
  uint64_t nodes;        /* of a weak solution: states whose successors were looked at; of one by
                            parts: combinations of states */
  uint32_t parts;        /* of a solution by parts */
  uint64_t kept_states;  /* up to symmetry */
  uint32_t symmetries;   /* that states were compared by; 1: none */
  uint64_t faults;       /* of the states that were kept */
  uint32_t depth;
  size_t bytes; /* of the states as they are stored */
  game_fault fault;
  bool has_database;           /* it was written */
  const char *database_reason; /* why it cannot be written; or NULL */
  database_size database;
} solve_result;

/* False: the budget is spent, or `d` says what is wrong, or another rank has stopped.  The machine
   must be one on circuits. */
bool solve_game(solve_result *r, const machine *m, const solve_options *o, arena *keep, budget *b,
                diag_sink *d);

#endif
