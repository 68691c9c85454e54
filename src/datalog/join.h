/* Runs a plan: finds every way to satisfy a clause. */
#ifndef TABIA_DATALOG_JOIN_H
#define TABIA_DATALOG_JOIN_H

#include "datalog/plan.h"

typedef struct join_step join_step;

typedef struct join {
  const flat_program *f;
  table *tables;
  const plan *plan;
  term_id *bindings;         /* by variable; behind them the constants of the plan */
  uint32_t *rows;            /* by step: the row that it stands on */
  uint32_t *visible;         /* by step: rows before this one count; read when a run begins */
  uint32_t given, given_end; /* rows of the first step, if it is STEP_GIVEN */
  bool each_head_once;       /* go on after the first way to satisfy a head */
  const table *known;        /* heads in here are not looked for; or NULL */
  uint64_t tried;            /* rows looked at so far */
  uint64_t try_limit;        /* the run ends when `tried` reaches this */
  join_step *steps;          /* those of the plan, ready to run */
  term_id *key;              /* room for the longest key */
  uint32_t *head_slots;      /* in the bindings, by column; NULL: the head has a pattern */
  term_id *head;             /* where it has none: the head of a solution */
  uint64_t head_hash;        /* and its hash, as tables want it */
} join;

/* A join for `p`; all rows of all tables are visible. */
void join_init(join *j, const flat_program *f, table *tables, const plan *p, arena *keep);

/* Called for every solution; false ends the run. */
typedef bool join_solution(void *context, const join *j);

/* Called when `tried` has reached `try_limit`; sets a higher limit and returns true to go on. */
typedef bool join_pause(void *context, join *j);

typedef enum join_end { JOIN_DONE, JOIN_STOPPED } join_end;

join_end join_run(join *j, join_solution *solution, join_pause *pause, void *context);

/* The value of a pattern under the bindings.  False: it would be too deep a term. */
TERM_MUST_ASK bool join_pattern_value(const join *j, term_id pattern, term_id *made);

/* The value under the bindings.  False: it would be too deep a term. */
TERM_MUST_ASK static inline bool join_value(const join *j, value v, term_id *made) {
  if (v.kind == VALUE_PATTERN) return join_pattern_value(j, v.id, made);
  *made = v.kind == VALUE_VARIABLE ? j->bindings[v.id] : v.id;
  return true;
}

#endif
