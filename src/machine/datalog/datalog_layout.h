/* The places of the facts of a flat relation.

   The constants that each column of each relation can hold follow from the columns of the static
   facts (columns are treated independently, so this is cheap and terminates for every game).  If
   the product of a relation's columns is not too large, a fact has a place: a number that is a sum
   of one term for each column.  Then a set of facts is a bit set, and nothing is hashed.  Places
   are in the order of the facts' canonical text.

   Other relations have no places; their facts are hashed. */
#ifndef TABIA_MACHINE_DATALOG_DATALOG_LAYOUT_H
#define TABIA_MACHINE_DATALOG_DATALOG_LAYOUT_H

#include "machine/datalog/datalog_inertia.h"

/* Added for a constant that a column never holds: then the sum is no place. */
#define DL_ABSENT (UINT32_C(1) << 26)

enum { DL_PLACES_MAX = 1 << 22, DL_ARITY_MAX = 31 };

typedef struct dl_column {
  term_id *values; /* what it can hold, in the order of the text */
  uint32_t value_count;
  uint32_t stride;
  uint32_t *parts; /* by constant: its number among the values times the stride, or DL_ABSENT */
  uint32_t *codes; /* by constant: its number among the values, or DL_ABSENT */
} dl_column;

typedef struct dl_layout {
  uint32_t arity;
  uint32_t size; /* places; 0: facts have none and are hashed */
  uint32_t constant_count;
  dl_column *columns; /* NULL when facts have no places */
  term_id *rows;      /* by place: its row, where that table is not too large; or NULL */
} dl_layout;

/* By flat relation.  `true` and `next`, and `legal` and `does`, have equal places for equal terms.
 */
dl_layout *dl_layouts_make(const dl_rules *r, const dl_inertia *n, arena *keep);

/* The row of a place. */
void dl_layout_row(const dl_layout *l, uint32_t place, term_id *row);

#endif
