/* Counts of states by depth on standard output, as `tabia states` and `tabia-mpi states` print
   them. */
#ifndef TABIA_CLI_LEVELS_SHOW_H
#define TABIA_CLI_LEVELS_SHOW_H

#include "tabia.h"

void levels_put_text(const tabia_levels *x);

/* Counts are texts: they may be larger than the numbers that readers of JSON keep. */
void levels_put_json(const tabia_levels *x, const char *game, const char *method, double seconds);

#endif
