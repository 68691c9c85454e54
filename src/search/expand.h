/* The successors of many states: on a machine that can, in bundles; else one after another. */
#ifndef TABIA_SEARCH_EXPAND_H
#define TABIA_SEARCH_EXPAND_H

#include "machine/expand_sink.h"
#include "search/joint_moves.h"

/* What one thread expands with. */
typedef struct expander {
  const machine *m;
  machine_workspace *w;
  bool ignore_terminal; /* play on in terminal states, where there are moves */
  joint_moves moves;
  void *position, *next;
  struct bundle_expander *bundles; /* of a machine that expands bundles; else NULL */
} expander;

expander expander_new(const machine *m, machine_workspace *w, bool ignore_terminal, arena *keep);

/* Expands states `first` to `end`-1.  False: trouble, or the budget is spent: the workspace has it
   (E801). */
bool expand_states(expander *x, uint32_t first, uint32_t end, const expand_sink *sink);

#endif
