/* A player of this program that sits in the same process: it speaks the protocol on a port of
   127.0.0.1 that the system chooses, in a thread of its own, so that a referee sees no
   difference. */
#ifndef TABIA_GGP_PLAYER_LOCAL_PLAYER_H
#define TABIA_GGP_PLAYER_LOCAL_PLAYER_H

#include "ggp/player/player.h"

typedef struct local_player local_player;

/* NULL: the system has no socket or no thread; errno says why.  `cores`: the processors that its
   threads may use, as a list of numbers ended by -1; NULL: all. */
local_player *local_player_start(const player_options *o, const int *cores);
void local_player_stop(local_player *p);                 /* NULL is allowed */
const char *local_player_address(const local_player *p); /* "127.0.0.1:41234" */

/* Is the word the name of such a player?  `random`, `legal`, `uct` or `tabia`. */
bool local_player_kind(const char *word, mind_kind *kind);

#endif
