/* The facts of a state, computed on demand.

   Components are evaluated when a query needs them; the result is kept until the state or the moves
   change, or is maintained when the state does (datalog_incremental.h).

   A component may negate what it defines itself: `(<= (goal ?r 0) (role ?r) (not (goal ?r 100)))`.
   It is evaluated repeatedly, each time negating the facts of the time before: the results are
   alternately too large and too small, and converge (the alternating fixpoint of Van Gelder, 1989).
   They become equal, and right, if and only if the rules are stratified once ground. */
#ifndef TABIA_MACHINE_DATALOG_DATALOG_MODEL_H
#define TABIA_MACHINE_DATALOG_DATALOG_MODEL_H

#include "machine/datalog/datalog_plan.h"
#include "machine/datalog/datalog_run.h"

/* What a model knows of a component's upkeep. */
typedef struct dl_care {
  uint32_t asked;      /* the number of the last state in which it was asked for */
  bool is_done;        /* its facts are there */
  bool is_kept;        /* its facts have a tally and are right when the state changes */
  bool is_dear;        /* keeping it costs more than it saves */
  uint32_t uses;       /* states since the last review in which it was kept and asked for */
  uint64_t plain_work; /* of evaluating it, the last time */
  uint64_t kept_work;  /* of keeping it, since the last review */
} dl_care;

enum { DL_WORTH_KEEPING = 64 }; /* in rows looked at */

/* The model of one thread. */
typedef struct dl_model {
  const dl_plan *plan;
  dl_runner runner;
  id_vec done;       /* components of the state, each behind all that it reads */
  id_vec done_moves; /* the same, of those that depend on the moves */
  uint32_t *counts;  /* by flat relation: rows that have been joined */
  arena *keep;
  uint32_t state;      /* the number of the present one */
  bool is_near;        /* it was told by what differs from the one before */
  dl_care *cares;      /* by component */
  uint32_t kept_count; /* components that are kept */
  uint64_t plain_work; /* in this state, of evaluating components that may be kept in the next */
  uint64_t changed;    /* while the state changes: dl_plan.fluents of what is not the same */
  id_vec gone, come;   /* scratch: places */
  uint32_t reviews;    /* so far */
  uint32_t since_review, review_at; /* states that were told by differences */
} dl_model;

void dl_model_init(dl_model *m, const dl_plan *p, term_table *terms, budget *limits,
                   machine_trouble *trouble, arena *keep);

/* Forgets the moves and what follows from them. */
void dl_model_forget_moves(dl_model *m);

/* Forgets the state and all that follows: the next one is given in full. */
void dl_model_forget_state(dl_model *m);

/* Whether much could be kept in the next state, or is. */
static inline bool dl_model_is_worth_keeping(const dl_model *m) {
  return m->kept_count || m->plain_work >= DL_WORTH_KEEPING;
}

/* Forgets one component. */
void dl_model_drop(dl_model *m, uint32_t component);

/* Adds a fact of `true` or `does` that is not there. */
static inline void dl_model_add(dl_model *m, flat_id r, const term_id *row, uint32_t place) {
  dl_rows_push(&m->runner.rows[r], row, place);
  m->runner.told |= dl_guard_bits(&m->plan->guards.of[r], &m->plan->layouts[r], row, place);
}

/* Adds a fact whose place is not known, if it has any; unless it is there. */
void dl_model_add_unknown(dl_model *m, flat_id r, const term_id *row);

/* Evaluates what the question needs. */
void dl_model_ask(dl_model *m, dl_question q);

static inline dl_rows *dl_model_rows(const dl_model *m, flat_id r) { return &m->runner.rows[r]; }

#endif
