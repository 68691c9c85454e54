/* The parts of `tabia bench`. */
#ifndef TABIA_CLI_BENCH_H
#define TABIA_CLI_BENCH_H

#include "cli/session.h"

typedef struct bench_options {
  uint64_t megabytes;  /* read: size of the rulesheet */
  const char *machine; /* play: one machine; NULL: all */
  double seconds;      /* play: of random games on each machine */
  limit_choice limits; /* play: for a machine to be ready */
  uint64_t seed;
  bool as_json;
} bench_options;

/* They return the exit status of the command. */
int bench_read(const bench_options *o, const command_help *help);
int bench_play(const bench_options *o, const command_help *help, char *const *games, int count);

#endif
