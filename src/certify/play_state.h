/* Plays on a machine, and evaluates properties in a state: the checker's own implementation.

   Nothing here uses circuits.  Lines are played on machine `reference`; all states are visited on
   machine `datalog`, which is faster, or on `reference` if `datalog` does not take the game. */
#ifndef TABIA_CERTIFY_PLAY_STATE_H
#define TABIA_CERTIFY_PLAY_STATE_H

#include "certify/evidence.h"
#include "machine/machine.h"

typedef struct role_state {
  const move_id *moves; /* that are legal */
  uint32_t move_count;
  const int32_t *goals; /* all that hold */
  uint32_t goal_count;
} role_state;

typedef struct play_state {
  bool is_terminal;
  const bool *fluents; /* by fluent of the ground program: it holds */
  const role_state *roles;
} play_state;

/* Names of the ground program as machines print them. */
typedef struct text_index {
  struct numbered_text {
    const char *words;
    uint32_t number;
  } * items; /* sorted */
  uint32_t count;
} text_index;

typedef struct play {
  const ground_program *g;
  machine *m;
  machine_workspace *w;
  arena *keep;        /* as long as the play */
  arena *scratch;     /* of one state */
  uint32_t nature;    /* the role that chance plays; the number of roles: there is none */
  text_index fluents; /* of ground_program.fluents */
  text_index *moves;  /* by role: of its moves */
  id_vec fluent_of;   /* by fluent of the machine, as far as it was met: its number in the ground
                         program; or ID_NONE */
} play;

/* False: the game cannot be played, for which the checker gives up.  Call play_close in any
   case. */
bool play_open(play *p, checker *k, const char *first_machine, const char *second_machine);
void play_close(play *p);

/* What there is to know of a position, in the scratch arena.  False: the machine is in trouble, for
   which the checker gives up. */
bool play_read(play *p, checker *k, const void *position, play_state *s);

/* The move of the ground program among those that are legal; MOVE_NONE: it is not. */
move_id play_find_move(play *p, const play_state *s, uint32_t role, uint32_t move);

/* ---- what a state shows ---- */

bool state_is_stuck(const play *p, const play_state *s); /* not terminal, a role has no move */

/* A role but for chance has no goal, several, or one out of range; or a smaller one than before. */
bool state_is_unjudged(const play *p, const play_state *s);
bool state_has_less(const play *p, const play_state *before, const play_state *s);

/* Is it a state that the property of the evidence forbids?  Not asked of `terminates`, `mutex` and
   `monotone`. */
bool state_is_forbidden(const play *p, const play_state *s, const evidence *e);

#endif
