/* Conditions of clauses that can be tested all at once.

   Many clauses are for one kind of move, one role or one player's turn, and in most states nothing
   follows from them.  One bit each stands for: some move of this shape is made; this role makes
   one; a certain move is made; a certain fluent of a small relation is true.  Clauses that need a
   bit that is not set, or negate one that is, are skipped. */
#ifndef TABIA_MACHINE_DATALOG_DATALOG_CLAUSE_FILTER_H
#define TABIA_MACHINE_DATALOG_DATALOG_CLAUSE_FILTER_H

#include "machine/datalog/datalog_clause_code.h"

#define DL_NO_BIT UINT8_MAX

/* The bits of a relation; each may be DL_NO_BIT. */
typedef struct dl_guard {
  uint8_t any;         /* it has a fact */
  uint8_t first_value; /* by number of the value in the first column: it has a fact with that */
  uint8_t first_place; /* by place: it has that fact */
} dl_guard;

typedef struct dl_guards {
  dl_guard *of;   /* by flat relation */
  uint64_t moves; /* all bits of `does` */
} dl_guards;

void dl_guards_make(dl_guards *g, const dl_rules *r, const dl_layout *layouts, arena *keep);

/* Fills what the code needs and denies. */
void dl_guard_code(dl_code *code, const dl_guards *g, const dl_rules *r, const dl_layout *layouts);

static inline uint64_t dl_guard_bit(uint8_t bit) {
  return bit == DL_NO_BIT ? 0 : UINT64_C(1) << bit;
}

/* The bits that a fact sets. */
static inline uint64_t dl_guard_bits(const dl_guard *g, const dl_layout *l, const term_id *row,
                                     uint32_t place) {
  uint64_t bits = dl_guard_bit(g->any);
  if (g->first_value != DL_NO_BIT)
    bits |= UINT64_C(1) << (g->first_value + l->columns[0].codes[row[0]]);
  if (g->first_place != DL_NO_BIT) bits |= UINT64_C(1) << (g->first_place + place);
  return bits;
}

#endif
