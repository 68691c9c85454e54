/* The receiver of the successors of many states.

   Many states are expanded in one call (search/expand.h): a sink supplies the states and receives
   each successor. A machine may expand them in any order and in bundles; the successors of one
   state come in the order of their joint moves. */
#ifndef TABIA_MACHINE_EXPAND_SINK_H
#define TABIA_MACHINE_EXPAND_SINK_H

#include "machine/machine.h"

typedef struct expand_sink {
  /* The position of state `i`, written to `room` (position_size bytes). */
  void (*state)(void *context, uint32_t i, void *room);
  void (*successor)(void *context, uint32_t i, const move_id *joint, const void *next);
  /* State `i` is not terminal, and the role cannot move. */
  void (*stuck)(void *context, uint32_t i, uint32_t role);
  void *context;
} expand_sink;

#endif
