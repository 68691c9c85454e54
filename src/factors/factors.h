/* Independent parts of a game (its factors): sets of latches that do not depend on one another.

   The next value of a latch, and each condition of a move, reads latches of one part only, and
   common latches, which depend on no move and on common latches alone: step counters, whose turn it
   is.  Latches on which no end, goal, legal move or percept depends belong to no part.

   Moves.  In each part the moves of a role fall into classes: moves of one class have the same
   effect on the part and the same conditions in it.  Each role either
     chooses one part: every move is idle in all parts but at most one, where idle is a class that has
       no condition in the part; all other moves also have the same conditions on common latches; or
     chooses in all parts: each combination of classes, one for each part, is a move, so the choice in
       a part does not restrict those in others.
   So a part can be played alone, with its classes as moves, and a play of the game consists of one
   play of each part, step by step.  Ends and goals may read several parts (factor_summary.h).

   Parts are united beyond their dependencies if ends or goals read them together: the cells of a
   board are not parts, two boards are.  Only partitions that factors_are_sound accepts are
   returned. */
#ifndef TABIA_FACTORS_FACTORS_H
#define TABIA_FACTORS_FACTORS_H

#include "circuit/circuit.h"

#define PART_COMMON UINT32_MAX
#define PART_UNREAD (UINT32_MAX - 1)
#define CLASS_NONE UINT32_MAX

typedef enum factor_choice { CHOOSES_ONE_PART, CHOOSES_IN_ALL_PARTS } factor_choice;

typedef struct factors {
  const circuit *c;
  uint32_t count;         /* at least 2; 0: no parts were found */
  uint32_t *part_of;      /* by latch: a part, PART_COMMON or PART_UNREAD */
  factor_choice *choices; /* by role */
  uint32_t *classes;      /* by part, by move of the circuit */
  uint32_t *class_counts; /* by part, by role */
  uint32_t *idle;         /* by part, by role: the idle class, or CLASS_NONE */
  bool *ends, *scores;    /* by part: terminal reads it; a goal or a target does */
  const char *reason;     /* why there are none, or NULL: everything depends on everything */
} factors;

static inline uint32_t factor_class(const factors *f, uint32_t part, uint32_t move) {
  return f->classes[(size_t)part * f->c->moves.count + move];
}

static inline uint32_t factor_class_count(const factors *f, uint32_t part, uint32_t role) {
  return f->class_counts[(size_t)part * f->c->roles.count + role];
}

/* CLASS_NONE where every move of the role does something there, or has a condition. */
static inline uint32_t factor_idle_class(const factors *f, uint32_t part, uint32_t role) {
  return f->idle[(size_t)part * f->c->roles.count + role];
}

static inline bool factor_move_is_idle(const factors *f, uint32_t part, uint32_t role,
                                       uint32_t move) {
  return factor_class(f, part, move) == factor_idle_class(f, part, role);
}

/* The circuit must outlive the result.  When the budget is spent, none are found. */
void factors_find(factors *f, const circuit *c, arena *keep, budget *b);

#endif
