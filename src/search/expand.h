/* The successors of many states.

   Whoever has many states to expand hands them over together: what they are and what becomes of
   each successor is told by a sink.  A machine is free to take them in any order and in bundles;
   the successors of one state come in the order of their joint moves. */
#ifndef TABIA_SEARCH_EXPAND_H
#define TABIA_SEARCH_EXPAND_H

#include "search/joint_moves.h"

typedef struct expand_sink {
  /* The position of state `i`, written to `room` (position_size bytes). */
  void (*state)(void *context, uint32_t i, void *room);
  void (*successor)(void *context, uint32_t i, const move_id *joint, const void *next);
  /* State `i` is not terminal, and the role cannot move. */
  void (*stuck)(void *context, uint32_t i, uint32_t role);
  void *context;
} expand_sink;

/* What one thread expands with. */
typedef struct expander {
  const machine *m;
  machine_workspace *w;
  bool ignore_terminal; /* play on in terminal states, where there are moves */
  joint_moves moves;
  void *position, *next;
  struct lane_expander *bundles; /* on the machine `lanes`; else NULL */
} expander;

expander expander_new(const machine *m, machine_workspace *w, bool ignore_terminal, arena *keep);

/* Expands states `first` to `end`-1.  False: trouble, or the budget is spent: the workspace has it
   (E801). */
bool expand_states(expander *x, uint32_t first, uint32_t end, const expand_sink *sink);

/* Notes in the workspace that its budget is spent, if so; tells whether there is trouble. */
bool workspace_is_over(machine_workspace *w);

#endif
