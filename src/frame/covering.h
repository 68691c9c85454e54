/* Step 3: general joint moves, and sets of them that cover every joint move of the game.

   A general joint move has one does(role, action) for every role, with its own variables.  A
   covering is a set of them such that every joint move that can be made in a reachable state is an
   instance of one.

     generic   one general joint move: does(?p1, ?a1), does(?p2, ?a2), ..., all roles different
     direct    one for each choice of an action name for every role
     pruned    direct, without those that were proved to be impossible */
#ifndef TABIA_FRAME_COVERING_H
#define TABIA_FRAME_COVERING_H

#include "frame/domain.h"

typedef enum frame_cover { COVER_GENERIC, COVER_DIRECT, COVER_PRUNED } frame_cover;

const char *frame_cover_name(frame_cover c); /* "direct" */

/* Larger ones are not made: the roles with the most action names are given a variable instead. */
enum { COVERING_MAX = 1024 };

typedef struct general_move {
  term_id role; /* of the generic covering: a variable */
  term_id action;
  const frame_name *name; /* what the action stands for */
  uint32_t choice;        /* which of the role's actions it is; 0 for a variable */
} general_move;

typedef struct covering {
  frame_cover kind;
  uint32_t role_count;
  uint32_t first_variable; /* of the general joint moves; fluents have those below */
  uint32_t variable_bound; /* more than any variable of them */
  uint32_t count;          /* general joint moves */
  uint32_t pruned;         /* that were left out */
  VEC(general_move) moves; /* role_count for each general joint move */
  bool *is_widened;        /* by role: has a variable for its action */
} covering;

static inline const general_move *covering_moves(const covering *c, uint32_t joint) {
  return &c->moves.items[(size_t)joint * c->role_count];
}

/* Can roles `left` and `right` choose these of their actions together?  What is not known is
   possible. */
typedef bool covering_possible(void *context, uint32_t left, uint32_t left_choice, uint32_t right,
                               uint32_t right_choice);

/* Variables from `first_variable` on are used.  `possible` is NULL but for COVER_PRUNED. */
void covering_make(covering *c, frame_cover kind, const frame_domain *m, uint32_t first_variable,
                   covering_possible *possible, void *context, arena *keep);

#endif
