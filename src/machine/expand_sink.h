/* What becomes of the successors of many states.

   Whoever has many states to expand hands them over together (search/expand.h): what they are and
   what becomes of each successor is told by a sink.  A machine is free to take them in any order
   and in bundles; the successors of one state come in the order of their joint moves. */
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
