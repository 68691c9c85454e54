/* Random games, as several commands play and show them. */
#ifndef TABIA_CLI_PLAYOUT_SHOW_H
#define TABIA_CLI_PLAYOUT_SHOW_H

#include "base/json.h"
#include "cli/session.h"

typedef struct playout_choice {
  uint64_t seed;
  uint64_t count;     /* 0: until the time is over */
  uint64_t max_steps; /* 0: no limit */
  uint64_t threads;
  double seconds;  /* 0 or less: no limit */
  uint32_t random; /* in playout_randoms */
} playout_choice;

/* What tabia_playouts_set_random takes; ended by NULL. */
extern const char *const playout_randoms[];

tabia_playouts *playouts_new(const tabia_machine *m, const playout_choice *o);

/* How many of them a second; 0 when no time has passed. */
double a_second(const tabia_playouts *p, uint64_t count);

/* Games that were not counted, and why: a line for each reason, behind `lead`. */
void playouts_put_uncounted(const tabia_playouts *p, const char *lead);

/* All figures, as members of the object that is open; null where no game was counted. */
void playouts_write(json_writer *w, const tabia_machine *m, const tabia_playouts *p);

#endif
