/* Games of one role, and of two in turn whose goals add up to 100: the values of all states,
   looked up in play.  They come from a database that the caller has, or are found in the start
   clock (tabia_solve_*) where the game is small. */
#ifndef TABIA_API_API_KNOWN_H
#define TABIA_API_API_KNOWN_H

#include "api/api.h"

typedef struct known_game {
  arena *guard; /* closes the database; NULL: values are not known */
  tabia_database *values;
  uint32_t roles; /* 1 or 2 */
} known_game;

/* Opens a database; what is wrong with it is reported. */
tabia_status known_open(known_game *k, const tabia_machine *m, const char *folder,
                        tabia_messages *log);

/* Solves the game of the machine from its start, in at most so many seconds and bytes.  False:
   values are not known. */
bool known_find(known_game *k, const tabia_machine *m, double seconds, size_t bytes,
                const tabia_limits *limits);
void known_free(known_game *k);

/* The best moves of a role that alone has a choice, and what the position is worth to it; returns
   how many there are, 0 if that is not known.  `position` comes up in play from the start. */
uint32_t known_moves(const known_game *k, tabia_workspace *w, const void *position, uint32_t role,
                     tabia_move *moves, uint32_t capacity, double *value);

/* The moves of all roles where only one has a choice: a best one for it.  False: that is not
   known. */
bool known_joint(const known_game *k, tabia_workspace *w, const void *position, tabia_move *joint);

#endif
