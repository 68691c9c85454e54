/* Figures of many playouts, as several commands show them. */
#ifndef TABIA_CLI_PLAYOUT_SHOW_H
#define TABIA_CLI_PLAYOUT_SHOW_H

#include "base/json.h"
#include "cli/machine_load.h"
#include "search/playout.h"

double playouts_mean_length(const playout_summary *s);
double playouts_length_deviation(const playout_summary *s);
double playouts_joint_moves(const playout_summary *s); /* legal in a state, on average */
double playouts_states_a_second(const playout_summary *s);

/* Playouts that were not counted, and why: a line for each reason, behind `lead`. */
void playouts_put_uncounted(const playout_summary *s, const char *lead);

/* All figures, as members of the object that is open. */
void playouts_write(json_writer *w, const machine *m, const playout_summary *s);

/* Shows the first fault on standard error, if there is one; tells how the command ends. */
int playouts_show_fault(const running_game *g, const playout_summary *s, uint64_t seed);

#endif
