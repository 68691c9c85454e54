/* The limits of a session as a budget, for commands that do not stand on tabia.h yet. */
#ifndef TABIA_CLI_LIMITS_H
#define TABIA_CLI_LIMITS_H

#include "base/budget.h"
#include "cli/session.h"

/* Makes the budget; from now on SIGINT, SIGTERM and SIGHUP spend it instead of ending the process.
   False: the options are wrong (a message was shown), with *status to return. */
bool limits_begin(budget *b, const limit_choice *o, const command_help *help, int *status);

#endif
