/* What stays by itself.  The last clauses of a translated program (frame/frame_program.h) say

     next(f) <= true(f), not fnext(f)

   for whole names of fluents.  A machine need not evaluate them: it keeps the fluents of the state
   for which fnext does not hold. */
#ifndef TABIA_MACHINE_DATALOG_DATALOG_INERTIA_H
#define TABIA_MACHINE_DATALOG_DATALOG_INERTIA_H

#include "machine/datalog/datalog_rules.h"

#define DL_RENEWED UINT32_MAX
#define DL_ALWAYS_KEPT (UINT32_MAX - 1)

typedef struct dl_inertia {
  flat_id *keeps;   /* by flat relation of next: fnext of the same shape; DL_ALWAYS_KEPT; or
                       DL_RENEWED: its clauses must be evaluated */
  bool *is_skipped; /* by dynamic clause: need not be evaluated */
} dl_inertia;

void dl_inertia_find(dl_inertia *n, const dl_rules *r, arena *keep);

/* Names of which all fluents cease in every step, `fnext(f) <= true(f)`, are renewed: neither what
   stays nor what ceases need be evaluated. */
void dl_inertia_drop_ceasing(dl_inertia *n, const dl_rules *r);

#endif
