/* The fluents, roles and moves of a game, as certificates name them. */
#ifndef TABIA_CERTIFY_GAME_NAMES_H
#define TABIA_CERTIFY_GAME_NAMES_H

#include "certify/term_key.h"
#include "ground/ground.h"

typedef struct game_names {
  const program *program;
  const ground_program *g;
  key_index fluents, roles;
  key_index *moves; /* by role: in the order of its moves */
} game_names;

game_names game_names_new(const program *p, const ground_program *g, arena *keep);

/* The number in ground_program.fluents, .roles and .moves; ID_NONE: there is none. */
uint32_t names_fluent(const game_names *names, const tree *t, node_id n, arena *scratch);
uint32_t names_role(const game_names *names, const tree *t, node_id n, arena *scratch);
uint32_t names_move(const game_names *names, uint32_t role, const tree *t, node_id n,
                    arena *scratch);

/* Do the rules have a fluent with this name and as many arguments, and all names in it?  Then it
   may be asked about; if it is no fluent of the ground game it never holds. */
bool names_is_written(const game_names *names, const tree *t, node_id n);

#endif
