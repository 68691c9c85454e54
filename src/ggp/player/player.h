/* A GGP player: answers every message of a referee in time.

   | message | answer |
   | --- | --- |
   | START | `ready`, when it is, or just before the start clock ends |
   | PLAY  | a legal move just before the play clock ends, or as soon as it is known |
   | STOP, PREVIEW | `done` |
   | ABORT | `aborted`; a PLAY that waits gets `nil` |
   | INFO  | name, status and species |
   | PING  | `ready` |
   | of another match | `busy` |
   | no message at all, no legal move | `nil`, at once |

   One thread, the one that calls player_run, talks; others think (sitting.h).

   If there is no memory for a message, its match is given up and the answer is `nil`; if there is
   none for the answer either, the connection is closed.  The player continues. */
#ifndef TABIA_GGP_PLAYER_PLAYER_H
#define TABIA_GGP_PLAYER_PLAYER_H

#include "ggp/player/mind.h"

#include <signal.h>

typedef struct player_options {
  mind_options mind;
  uint64_t machine_bytes; /* for opening machines; 0: no limit */
  const char *name;
  double margin;       /* seconds before the end of a clock at which an answer goes out */
  bool stays;          /* a START during a match gets `busy`; else it ends the old match */
  bool draws_by_match; /* by the seed and the match's id, so that draws of one match do not reveal
                          those of the next; else by the seed alone */
  FILE *log;           /* NULL: silent */
} player_options;

typedef struct player player;

/* Takes the listening socket over. */
player *player_new(const player_options *o, int listener);
/* Talks until *stop is not 0, or player_stop is called by another thread. */
void player_run(player *p, const volatile sig_atomic_t *stop);
void player_stop(player *p);
void player_free(player *p); /* waits for thinkers, which stop soon */

#endif
