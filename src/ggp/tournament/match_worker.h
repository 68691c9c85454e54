/* One match in a process of its own, which ends with the one that started it.  Its result comes
   back through a pipe. */
#ifndef TABIA_GGP_TOURNAMENT_MATCH_WORKER_H
#define TABIA_GGP_TOURNAMENT_MATCH_WORKER_H

#include "ggp/tournament/tournament_plan.h"
#include "ggp/tournament/tournament_store.h"

#include <signal.h>
#include <sys/types.h>

typedef struct match_worker {
  pid_t process; /* 0: none */
  int pipe;      /* to be read until its end */
  double begin;
  arena *keep;
  text report;
} match_worker;

/* `cores`: for each seat `count` of them; count 0: all.  False: no process can be made. */
bool match_worker_start(match_worker *w, const tournament_plan *p, const planned_match *m,
                        const int *cores, uint32_t count, const volatile sig_atomic_t *stop);

/* Reads what has come.  False: there will be no more; call match_worker_end. */
bool match_worker_read(match_worker *w);

/* Waits for the process.  True: the row, with texts that live as long as the worker; else *why says
   what went wrong. */
bool match_worker_end(match_worker *w, const tournament_plan *p, const planned_match *m,
                      match_row *row, const char **why);
void match_worker_free(match_worker *w); /* kills it if it runs */

#endif
