/* Two rulesheets played side by side: the same moves are made in both, and everything that players
   can observe is compared: the roles, the legal moves, whether the game is over, the goals, and the
   percepts of a step.  Fluents and other relations may differ.

   Moves and literals are texts with the old names. */
#ifndef TABIA_DIFF_SIDE_BY_SIDE_H
#define TABIA_DIFF_SIDE_BY_SIDE_H

#include "diff/diff_names.h"
#include "machine/state_view.h"

typedef enum difference_kind {
  DIFFERENCE_ROLE,
  DIFFERENCE_TERMINAL,
  DIFFERENCE_LEGAL,
  DIFFERENCE_GOAL,
  DIFFERENCE_SEES
} difference_kind;

const char *difference_kind_name(difference_kind k); /* the relation: "legal" */

/* A literal that holds on one side alone. */
typedef struct difference {
  difference_kind kind;
  const char *literal;
  bool is_in_new;
} difference;

typedef VEC(difference) difference_vec;

/* How it may be decided. */
typedef enum diff_method {
  DIFF_AUTO,    /* all ways in order of cost */
  DIFF_PAIRS,   /* every pair of states that a line leads to */
  DIFF_PRODUCT, /* both as one game, by the provers */
  DIFF_PLAY     /* random games: they prove nothing */
} diff_method;

/* What is compared. */
typedef struct diff_question {
  diff_method method;
  const program *old_rules, *new_rules;
  const diff_names *names;
  bool goals_at_end; /* else in every state */
  uint64_t seed;     /* of random games */
  uint32_t threads;  /* of walks */
} diff_question;

typedef struct playing_side {
  machine *m;
  machine_workspace *w;
  void *position;
  state_view view; /* its roles are those of the old rules, in their order */
} playing_side;

typedef struct side_by_side {
  const diff_question *q;
  arena *keep;
  arena *scratch;             /* of one state: side_by_side_look clears it */
  playing_side old, new;      /* `new` speaks with old names */
  uint32_t *new_role;         /* by role of the old rules */
  uint32_t roles;             /* of the old rules */
  difference_vec differences; /* of the last look; in `scratch` */
  bool has_other_roles;       /* then nothing can be played */
  bool is_new_faulty;         /* the new rules cannot be opened */
} side_by_side;

/* Opens both on a kind of machine.  False: one cannot be opened, and `d` says why.  Close it in any
   case. */
bool side_by_side_open(side_by_side *s, const diff_question *q, const char *kind, budget *b,
                       diag_sink *d);
void side_by_side_close(side_by_side *s);
bool side_by_side_has_trouble(const side_by_side *s);

/* Both at the start. */
void side_by_side_start(side_by_side *s);

/* Looks at both states and fills `differences`; true: there are none, and no trouble. */
bool side_by_side_look(side_by_side *s);

/* After a look without differences: is nothing to be played here? */
bool side_by_side_is_over(const side_by_side *s);

/* After a look: makes a move of each role, given by their numbers in the old view.  Differences in
   what is seen are added; false: there are some, or there is trouble. */
bool side_by_side_step(side_by_side *s, const uint32_t *choice);

/* The same by texts.  False also: a move is not legal in both. */
bool side_by_side_play(side_by_side *s, const char *const *joint);

#endif
