/* Sets of the moves of one role.

   A function of what one role does is a set of its moves: it holds when the move that the role
   makes is in the set.  A role makes exactly one move, so 'not in the set' is 'in the complement'.
   A set and its complement are kept as one set, the smaller of the two, and a flag; equal sets are
   one set. */
#ifndef TABIA_CIRCUIT_MOVE_SETS_H
#define TABIA_CIRCUIT_MOVE_SETS_H

#include "base/bitset.h"
#include "base/hash.h"
#include "base/vec.h"

typedef uint32_t set_id;

typedef struct move_set {
  uint32_t role;
  uint32_t first; /* in move_sets.members, ascending */
  uint32_t count; /* at least 1 */
} move_set;

typedef struct move_sets {
  arena *keep;
  uint32_t role_count;
  const uint32_t *universe; /* by role: how many moves there are */
  VEC(move_set) sets;
  id_vec members;
  id_table index;
  id_vec merged;   /* scratch: a set under way, ascending */
  bitset excluded; /* scratch: what is not in it; empty between calls */
} move_sets;

/* A set, its complement, or one of the two that are constant. */
typedef struct move_choice {
  enum { MOVES_NONE, MOVES_ALL, MOVES_IN, MOVES_NOT_IN } kind;
  set_id set;
} move_choice;

void move_sets_init(move_sets *s, const uint32_t *universe, uint32_t role_count, arena *keep);

move_choice move_sets_single(move_sets *s, uint32_t role, uint32_t move);

/* What is in all of them, of which there is at least one; they are of one role, or constant. */
move_choice move_sets_all(move_sets *s, const move_choice *choices, uint32_t count);

static inline move_choice move_choice_not(move_choice a) {
  static const int opposite[] = {MOVES_ALL, MOVES_NONE, MOVES_NOT_IN, MOVES_IN};
  return (move_choice){.kind = opposite[a.kind], .set = a.set};
}

#endif
