/* The order in which the positive literals of a clause are joined, for states like those of the
   sample.

   The order should look at few rows in all.  The number of rows of a relation that match the bound
   columns is estimated from its expected size and from what its columns can hold, as if columns
   were independent.  Short bodies are tried in every order; in longer ones the next literal is
   always the one with the fewest rows, with every literal tried as the first. */
#ifndef TABIA_MACHINE_DATALOG_DATALOG_LITERAL_ORDER_H
#define TABIA_MACHINE_DATALOG_DATALOG_LITERAL_ORDER_H

#include "base/bitset.h"
#include "machine/datalog/datalog_layout.h"

#define DL_NOTHING UINT32_MAX /* no literal's rows are given */

/* The numbers of the positive literals in their order; `given` (or DL_NOTHING) comes first. */
uint32_t *dl_order(const dl_rules *r, const dl_layout *layouts, flat_clause_id c, uint32_t given,
                   arena *keep, uint32_t *count);

/* Whether all variables of the argument are in the set. */
bool dl_is_bound(const term_table *t, term_id arg, bitset variables);

#endif
