/* Plays what is left of a plan, several matches at once, each in a process of its own.

   A match counts once its row is in the store, which this process alone writes.  Whatever ends in
   between, it or a match, leaves nothing half done: a match without a row is played again from
   the start, by this run or the next. */
#ifndef TABIA_GGP_TOURNAMENT_TOURNAMENT_H
#define TABIA_GGP_TOURNAMENT_TOURNAMENT_H

#include "ggp/tournament/tournament_plan.h"
#include "ggp/tournament/tournament_store.h"

#include <signal.h>

typedef struct tournament {
  const tournament_plan *plan;
  const match_list *matches;
  tournament_store *store;
  const volatile sig_atomic_t *stop;
  /* Called for each match that was played, and for each that failed (row NULL: why); or NULL. */
  void (*tell)(void *context, const planned_match *m, const match_row *row, const char *why);
  void *context;
} tournament;

/* TABIA_OK: all matches are in the store.  TABIA_LIMIT: it was stopped.  TABIA_FAULTY: some could
   not be played.  TABIA_UNREADABLE: the store cannot be written. */
tabia_status tournament_run(const tournament *t, arena *keep);

#endif
