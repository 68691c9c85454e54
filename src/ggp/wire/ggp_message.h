/* What a referee says to a player: one list, its first word in any case.

   | message | sent by the referee | answered by the player |
   | --- | --- | --- |
   | START   | ( START id role (rules) startclock playclock ...) | ready, busy |
   | PLAY    | ( PLAY id NIL ), ( PLAY id (m1 m2 ...) )           | a move |
   | PLAY    | GDL-II: ( PLAY id turn lastmove (percepts) )       | a move |
   | STOP    | as PLAY                                            | done |
   | ABORT   | ( ABORT id )                                       | aborted |
   | INFO    | ( INFO )                                           | ( ( name N ) ... ) |
   | PING    | ( PING )                                           | ready |
   | PREVIEW | ( PREVIEW (rules) clock )                          | done |

   A server of 2011 sends ( PLAY id (percepts) ) in GDL-II games; whether a lone list holds moves or
   percepts is known from the game. */
#ifndef TABIA_GGP_WIRE_GGP_MESSAGE_H
#define TABIA_GGP_WIRE_GGP_MESSAGE_H

#include "base/text.h"

typedef enum ggp_kind {
  GGP_UNKNOWN, /* not a message, or an unknown one */
  GGP_START,
  GGP_PLAY,
  GGP_STOP,
  GGP_ABORT,
  GGP_INFO,
  GGP_PING,
  GGP_PREVIEW
} ggp_kind;

/* The slices are those of the text that was read. */
typedef struct ggp_message {
  ggp_kind kind;
  slice id;
  slice role;
  slice rules;                    /* without the parentheses around them */
  double start_clock, play_clock; /* seconds */
  bool is_first;                  /* PLAY with NIL, or turn 0: nothing has happened yet */
  bool has_turn;                  /* GDL-II, with turn and last move */
  uint64_t turn;
  slice last_move; /* "" if there is none */
  slice terms;     /* joint move or percepts, without the parentheses */
} ggp_message;

/* False: the text is none of these, or lacks an argument. */
bool ggp_message_read(ggp_message *m, slice words);

/* Terms that are to be sent are spaced already (sexp.h). */
void ggp_add_start(text *out, const char *id, const char *role, const char *rules,
                   double start_clock, double play_clock);
/* `terms`: NULL is NIL. */
void ggp_add_step(text *out, ggp_kind play_or_stop, const char *id, const char *terms);
void ggp_add_step_seen(text *out, ggp_kind play_or_stop, const char *id, uint64_t turn,
                       const char *last_move, const char *percepts);
void ggp_add_abort(text *out, const char *id);

#endif
