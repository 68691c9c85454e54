/* Do machines play the same game? Random games are played on all in parallel, and every state is
   compared in full.  Now and then an earlier state is revisited: what a machine remembers of the
   last state must have no effect. */
#ifndef TABIA_MACHINE_COMPARE_H
#define TABIA_MACHINE_COMPARE_H

#include "machine/state_view.h"

typedef struct compare_options {
  uint64_t seed;
  uint64_t games;
  uint64_t max_steps;   /* of a game */
  uint64_t states;      /* compare this many, in as many games as it takes; 0: `games` counts */
  bool ignore_terminal; /* play on in terminal states, where there are moves */
} compare_options;

typedef struct compare_report {
  bool same;      /* as far as they were compared */
  uint64_t games; /* compared to their end */
  uint64_t states;
  text words; /* the first difference: the way to it, then "-" for the trusted machine's
                 words and "+" for the other's */
} compare_report;

/* One that takes part. */
typedef struct compared {
  const char *name; /* in words about differences */
  const machine *m;
  machine_workspace *w;
} compared;

/* Compares all with the first, which is trusted.  False: one has trouble, and its workspace has
   it. */
bool machines_compare_all(compare_report *r, const compared *all, uint32_t count,
                          const compare_options *o, arena *keep);

/* The same for two, by the names of their machines. */
bool machines_compare(compare_report *r, const machine *trusted, machine_workspace *trusted_w,
                      const machine *other, machine_workspace *other_w, const compare_options *o,
                      arena *keep);

#endif
