/* Runs the code of a clause: finds every fact that it derives in a state, or every derivation. */
#ifndef TABIA_MACHINE_DATALOG_DATALOG_RUN_H
#define TABIA_MACHINE_DATALOG_DATALOG_RUN_H

#include "machine/datalog/datalog_clause_code.h"
#include "machine/machine.h"

/* What one thread runs with. */
typedef struct dl_runner {
  const dl_rules *r;
  dl_rows *rows;     /* of all relations; the static ones are shared and complete */
  term_table *terms; /* of this thread; grows only where a relation holds terms of any shape */
  term_id *bindings; /* room for the variables of any clause */
  uint32_t *cursors; /* by step, for the longest clause: the next row */
  uint32_t *ends;    /* by step: rows before this one count */
  term_id *row;      /* room for the longest row */
  int32_t countdown; /* rows until the budget is asked */
  int64_t looked;    /* rows until the last time, but for the countdown then */
  uint64_t told;     /* bits of the moves and the state (datalog_clause_filter.h) */
  uint32_t way;      /* what a way adds to a tally: DL_WAY or DL_WAY_LESS */
  budget *limits;
  machine_trouble *trouble;
} dl_runner;

/* The rows looked at so far, and something for every run. */
static inline uint64_t dl_work(const dl_runner *x) { return (uint64_t)(x->looked - x->countdown); }

/* `given` to `given_end` are the rows of the first step, if it takes given rows. */
void dl_run(dl_runner *x, const dl_code *code, uint32_t given, uint32_t given_end);

/* Notes the trouble, and the rule that is to blame. */
void dl_fail(dl_runner *x, diag_kind kind, flat_clause_id to_blame, const char *message);

#endif
