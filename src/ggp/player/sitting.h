/* One match as its player sees it: the messages so far, and the threads that think about it.

   Two thinkers follow a match.  The quick one opens a machine that needs no grounding (`datalog`,
   else `reference`), so that there is a legal move soon, whatever the rules.  The deep one opens
   the fastest machine for its search, however long that takes, and from its first answer on the
   quick one leaves.  A player that does not search has the quick one alone.

   All functions here return at once; a caller that waits asks again when the descriptor `wake` is
   readable.

   A thinker that runs out of memory gives up, and the other one continues alone.  If a function
   here runs out of memory, the caller's recovery point is taken: no match was begun then, or it
   must be left. */
#ifndef TABIA_GGP_PLAYER_SITTING_H
#define TABIA_GGP_PLAYER_SITTING_H

#include "ggp/player/mind.h"
#include "ggp/wire/ggp_message.h"

typedef struct sitting sitting;

typedef struct sitting_options {
  mind_options mind;
  uint64_t machine_bytes; /* for opening machines; 0: no limit */
  int wake;               /* an eventfd */
  FILE *log;              /* NULL: silent */
} sitting_options;

/* Begins a match with the message START; thinkers get ready until `ready_by`. */
sitting *sitting_new(const sitting_options *o, const ggp_message *start, double ready_by);

bool sitting_has_id(const sitting *s, slice id);
double sitting_play_clock(const sitting *s);

/* Is there nothing more to get ready? */
bool sitting_is_ready(sitting *s);

/* Takes a message PLAY or STOP. */
void sitting_tell(sitting *s, const ggp_message *step);

/* A move is due before `deadline`, a time of clock_now(). */
void sitting_ask(sitting *s, double deadline);

/* Adds the move as the rules write it, or `nil` where there will never be one.  `takes_any`:
   whatever is known will do.  False: there is none yet. */
bool sitting_answer(sitting *s, bool takes_any, text *move);

/* The match is over: thinkers stop soon.  After that only the functions below may be called. */
void sitting_leave(sitting *s);
bool sitting_is_gone(sitting *s); /* all threads have ended */
void sitting_free(sitting *s);    /* waits for them */

#endif
