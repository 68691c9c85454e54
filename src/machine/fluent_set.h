/* Positions as sets of fluents, on any machine: as text, and from numbers.

   A machine may have folded what no play changes: fluents that always hold or never do, and fluents
   that always hold together.  Then machine_ops.place makes the nearest position that it can, and
   the fluents of the result show the differences. */
#ifndef TABIA_MACHINE_FLUENT_SET_H
#define TABIA_MACHINE_FLUENT_SET_H

#include "machine/state_view.h"

/* Canonical KIF, sorted by bytes, with a blank between two. */
void position_print(const machine *m, const void *position, text *out);

typedef struct fluent_conflict {
  fluent_id *missing; /* hold there, though they are not in the set */
  uint32_t missing_count;
  fluent_id *excess; /* are in the set, but do not hold there */
  uint32_t excess_count;
  bool is_full; /* the machine has no room for so many; the lists are empty */
} fluent_conflict;

/* The position with these fluents, in any order.  False: the machine has none, and `c` says why;
   what is in `position` then is of no use. */
bool position_of_fluents(const machine *m, const fluent_id *fluents, uint32_t count, void *position,
                         fluent_conflict *c, arena *keep);

#endif
