/* How fast does a machine play, one state at a time?  It is tried for a moment. */
#ifndef TABIA_MACHINE_STEP_SPEED_H
#define TABIA_MACHINE_STEP_SPEED_H

#include "machine/machine.h"

/* Steps of random games in a second of processor time; 0: it cannot play. */
double machine_step_speed(const machine *m, double seconds, budget *limits);

#endif
