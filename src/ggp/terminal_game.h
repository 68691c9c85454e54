/* A game at a terminal: some roles are people who type, the others are played by a search.

   Commands at the prompt: the number or the text of a move, `hint`, `why` (what the last thought
   was), `undo`, `moves`, `state`, `save FILE`, `help`, `quit`. */
#ifndef TABIA_GGP_TERMINAL_GAME_H
#define TABIA_GGP_TERMINAL_GAME_H

#include "ggp/player/mind.h"

#include <signal.h>

typedef struct terminal_options {
  const tabia_rules *rules; /* for names in their own case */
  const tabia_machine *machine;
  const bool *is_person; /* of each role; `random` is drawn */
  mind_options mind;     /* of the others */
  double seconds;        /* for each of their moves */
  bool is_plain;         /* list fluents, draw no board */
  FILE *in, *out;
  const volatile sig_atomic_t *stop; /* or NULL */
} terminal_options;

/* TABIA_OK: the game is over, or somebody has quit; TABIA_LIMIT: there is nothing more to read;
   TABIA_FAULTY: a role cannot move. */
tabia_status terminal_game_play(const terminal_options *o, tabia_messages *log);

#endif
