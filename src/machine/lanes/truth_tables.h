/* Three-input operations: a graph of two-input conjunctions covered by truth tables.

   Each chosen node of the graph becomes one operation that reads at most three other chosen nodes
   or inputs.  Bit 4a + 2b + c of `table` is its value for those inputs, which is also how the
   ternary logic instruction of x86 reads it. */
#ifndef TABIA_MACHINE_LANES_TRUTH_TABLES_H
#define TABIA_MACHINE_LANES_TRUTH_TABLES_H

#include "base/budget.h"
#include "machine/lanes/aig.h"

enum { TABLE_INPUTS = 3 };

typedef struct table_op {
  uint32_t in[TABLE_INPUTS]; /* nodes, ascending; 0 (the constant) behind the last that is used */
  uint8_t in_count;
  uint8_t table;
} table_op;

typedef struct table_cover {
  table_op *ops;   /* by node */
  bool *is_chosen; /* by node */
} table_cover;

/* Covers what the roots need.  False: the budget is spent. */
bool tables_cover(table_cover *out, const aig *g, const uint32_t *roots, uint32_t root_count,
                  arena *keep, budget *limits);

#endif
