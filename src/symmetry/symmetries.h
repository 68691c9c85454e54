/* Symmetries of a game: permutations of its fluents, its moves and perhaps its roles that leave the
   ground rules and the initial state unchanged.

   So a state and its image have the same value and the same continuations: legal moves, successors,
   ends and goals are the same up to names.  If roles are exchanged, what holds for one role in a
   state holds for the other one in the image.

   Only permutations that map the set of all rules to itself are listed (symmetry_proof.c). */
#ifndef TABIA_SYMMETRY_SYMMETRIES_H
#define TABIA_SYMMETRY_SYMMETRIES_H

#include "ground/ground.h"

/* Images, by number in the ground program. */
typedef struct symmetry {
  uint32_t *atoms, *fluents, *moves, *roles;
} symmetry;

typedef struct symmetries {
  VEC(symmetry) items; /* generators */
  bool is_whole;       /* they generate all that permute the ground rules */
} symmetries;

/* `roles_may_change`: also those that exchange roles.  Generators that were found before the budget
   was spent are there in any case. */
void symmetries_find(symmetries *s, const ground_program *g, bool roles_may_change, arena *keep,
                     budget *b);

/* Does the permutation map the rules, the first state, roles, goals, percepts, marks and terminal
   onto themselves? */
bool symmetry_is_proved(const ground_program *g, const symmetry *s, arena *scratch);

/* Is everything where it was but atoms and moves? */
bool symmetry_fixes_states(const ground_program *g, const symmetry *s);

#endif
