/* What holds in a state, worked out as far as it is asked for.

   The dynamic relations are evaluated in strongly connected parts.  Each question (what is legal?
   what comes next?) needs some parts, in a fixed order; what has been evaluated stays until the
   state or the moves change.

   A part may deny what it defines itself: `(<= (goal ?r 0) (role ?r) (not (goal ?r 100)))`.  It is
   evaluated in turns, each turn denying the facts of the turn before: the turns give too many
   facts and too few by turns, and close in on each other (the alternating fixpoint of Van Gelder,
   1989).  They meet exactly if the rules are stratified once ground, with the same facts. */
#ifndef TABIA_MACHINE_DATALOG_MODEL_H
#define TABIA_MACHINE_DATALOG_MODEL_H

#include "machine/datalog_run.h"

typedef enum dl_question {
  DL_TERMINAL,
  DL_LEGAL,
  DL_GOAL,
  DL_NEXT,
  DL_SEES,
  DL_QUESTION_COUNT
} dl_question;

/* A clause that is run again for new rows of one relation. */
typedef struct dl_trigger {
  flat_id relation;
  dl_code code;
} dl_trigger;

typedef struct dl_component {
  dl_layer layer;
  id_vec relations;
  VEC(dl_code) codes;       /* run once */
  VEC(dl_trigger) triggers; /* run for every new row: they read the component itself */
  flat_clause_id denier;    /* a clause that denies what the component defines; ID_NONE: none */
} dl_component;

/* What all threads share. */
typedef struct dl_plan {
  const dl_rules *r;
  dl_layout *layouts; /* by flat relation */
  dl_inertia inertia;
  dl_shape *shapes; /* by rows: those of the flat relations, then the denied ones */
  uint32_t rows_count;
  uint32_t *denied; /* by flat relation: the rows that a negation reads */
  bool *is_read;    /* by flat relation: some clause does */
  dl_rows *facts;   /* by rows: the static relations; others are empty */
  dl_component *components;
  uint32_t component_count;
  id_vec needs[DL_QUESTION_COUNT];     /* components in the order of evaluation */
  bool reads_moves[DL_QUESTION_COUNT]; /* some of them depend on the moves */
  uint32_t variables_max, steps_max, arity_max;
} dl_plan;

void dl_plan_make(dl_plan *p, const dl_rules *r, arena *keep);

/* The model of one thread. */
typedef struct dl_model {
  const dl_plan *plan;
  dl_runner runner;
  bool *is_done;    /* by component */
  id_vec done;      /* components */
  uint32_t *counts; /* by flat relation: rows that have been joined */
} dl_model;

void dl_model_init(dl_model *m, const dl_plan *p, term_table *terms, budget *limits,
                   machine_trouble *trouble, arena *keep);

/* Forgets what follows from the moves, or from the state and the moves; `does` itself, not `true`.
 */
void dl_model_forget(dl_model *m, dl_layer from);
void dl_model_clear_state(dl_model *m);

static inline void dl_model_add(dl_model *m, flat_id r, const term_id *row, uint32_t place) {
  dl_rows_push(&m->runner.rows[r], row, place);
}

/* Evaluates what the question needs. */
void dl_model_ask(dl_model *m, dl_question q);

static inline dl_rows *dl_model_rows(const dl_model *m, flat_id r) { return &m->runner.rows[r]; }

#endif
