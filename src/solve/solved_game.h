/* A game whose states are in a database (database_make.h): what a position is worth, and which
   moves are best there.  Positions are those of a machine on circuits.  Any number of threads may
   ask, each with a workspace of its own. */
#ifndef TABIA_SOLVE_SOLVED_GAME_H
#define TABIA_SOLVE_SOLVED_GAME_H

#include "database/database.h"
#include "machine/circuit_positions.h"

typedef struct solved_game {
  database files;
  const machine *m;
  uint32_t state_bytes;
  uint32_t nature;        /* the role `random` */
  uint32_t choosers[2];   /* the other roles, the first two */
  uint32_t chooser_count; /* of all of them */
} solved_game;

/* What a position is worth. */
typedef struct solved_worth {
  double *values; /* by role; the caller's room */
  uint32_t steps; /* to the end; SOLVED_NO_STEPS: not known, or play need not end */
} solved_worth;

#define SOLVED_NO_STEPS UINT32_MAX

/* False: `d` says why; of another game, for instance.  Call solved_game_close in any case. */
bool solved_game_open(solved_game *g, const char *folder, const machine *m, arena *keep,
                      diag_sink *d);
void solved_game_close(solved_game *g);

/* A position that cannot be reached gets any value, or is not there. */
database_answer solved_game_ask(const solved_game *g, machine_workspace *w, const void *position,
                                solved_worth *out);

/* What an end is worth, by the goals of any machine of the game. */
void solved_read_end(const solved_game *g, const machine *m, machine_workspace *w,
                     const void *position, solved_worth *out);

/* Is `a` better for the role? */
bool solved_is_better(const solved_game *g, uint32_t role, const solved_worth *a,
                      const solved_worth *b);

/* The best moves of a role that alone has a choice, besides `random`; as many as there is room for.
   Returns how many there are; 0: another chooses, too, or a position is not there. */
uint32_t solved_game_moves(const solved_game *g, machine_workspace *w, const void *position,
                           uint32_t role, move_id *moves, uint32_t capacity);

#endif
