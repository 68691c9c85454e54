/* How fast each machine plays a game here, one after another. */
#ifndef TABIA_CLI_MACHINE_SPEEDS_H
#define TABIA_CLI_MACHINE_SPEEDS_H

#include "base/vec.h"
#include "cli/playout_show.h"

typedef struct machine_speed {
  const char *machine;
  bool is_open;
  const char *why_not; /* when it could not be opened */
  double open_seconds; /* to make it ready: grounding and compiling included */
  double playouts_a_second, states_a_second, mean_length; /* of random games on one thread */
} machine_speed;

typedef VEC(machine_speed) machine_speed_vec;

typedef struct speed_options {
  const char *only;    /* one machine, or NULL: all */
  double open_seconds; /* a machine that is not ready by then is left out; 0: no limit */
  size_t open_bytes;   /* or one that needs more; 0: no limit */
  double play_seconds;
  double seconds; /* for all of it; 0: no limit */
  uint64_t seed;
} speed_options;

/* For the rules of the session.  Stops when the time is over or the user asks for it. */
machine_speed_vec machine_speeds(session *s, const speed_options *o);

void machine_speeds_put(const machine_speed_vec *all);
void machine_speeds_write(json_writer *w, const char *key, const machine_speed_vec *all);

#endif
