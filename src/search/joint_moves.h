/* The joint moves of a state, one after another: the last role's move changes fastest. */
#ifndef TABIA_SEARCH_JOINT_MOVES_H
#define TABIA_SEARCH_JOINT_MOVES_H

#include "machine/machine.h"

typedef struct joint_moves {
  uint32_t role_count;
  id_vec *moves;  /* by role: all that are legal, in the order of their text */
  uint32_t *at;   /* by role: which of them is its part of `joint` */
  move_id *joint; /* by role */
  arena *keep;
} joint_moves;

joint_moves joint_moves_new(uint32_t role_count, arena *keep);

/* Lists the moves of a position; `joint` is then the first joint move.  Returns a role that has
   no move, or role_count when all have one. */
uint32_t joint_moves_first(joint_moves *j, const machine *m, machine_workspace *w,
                           const void *position);

/* Makes one of its legal moves the role's part of `joint`. */
static inline void joint_moves_set(joint_moves *j, uint32_t role, uint32_t i) {
  j->at[role] = i;
  j->joint[role] = j->moves[role].items[i];
}

/* Goes on to the next; false: all have been. */
bool joint_moves_next(joint_moves *j);

#endif
