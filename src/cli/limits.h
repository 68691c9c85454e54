/* The options --time-limit and --memory-limit, and signals to end (Ctrl-C), as a budget. */
#ifndef TABIA_CLI_LIMITS_H
#define TABIA_CLI_LIMITS_H

#include "base/budget.h"
#include "cli/options.h"

typedef struct limit_options {
  double time_limit; /* seconds; 0: none */
  const char *memory_limit;
} limit_options;

#define LIMIT_OPTIONS(o) LIMIT_OPTIONS_SAYING(o, "stop after this time")

/* With the time that is usual for the command. */
#define LIMIT_OPTIONS_SAYING(o, time_words) \
  REAL_OPTION("time-limit", &(o)->time_limit, "SECONDS", time_words), \
      STRING_OPTION("memory-limit", &(o)->memory_limit, "BYTES", \
                    "stop when it needs more; K, M and G may follow")

/* Makes the budget; from now on SIGINT, SIGTERM and SIGHUP spend it instead of ending the process.
   False: the options are wrong (a message was shown), with *status to return. */
bool limits_begin(budget *b, const limit_options *o, const command_help *help, int *status);

#endif
