/* The rules of a game as models run them; all threads share one plan.

   The dynamic relations are evaluated by strongly connected components.  Each question
   (what is legal? what comes next?) needs some components, in a fixed order.

   Some components can be maintained when the state changes (datalog_counting.h): by deltas, clauses
   that are counted for facts that are added or removed. */
#ifndef TABIA_MACHINE_DATALOG_DATALOG_PLAN_H
#define TABIA_MACHINE_DATALOG_DATALOG_PLAN_H

#include "machine/datalog/datalog_clause_filter.h"

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

/* A clause that is counted for coming and going rows of one relation. */
typedef struct dl_delta {
  bool is_denied; /* the relation's literal is negated: what comes takes ways away */
  dl_code code;
} dl_delta;

typedef VEC(dl_delta) dl_delta_vec;

/* How a component changes with a relation that it reads. */
typedef struct dl_deltas {
  uint32_t component;
  dl_delta_vec any; /* for every row */
  uint32_t column;  /* for rows with one value in this column: */
  dl_delta_vec *of; /* by the number of the value (dl_column.codes); NULL: there are none */
} dl_deltas;

typedef VEC(dl_deltas) dl_deltas_vec;

typedef struct dl_component {
  dl_layer layer;
  id_vec relations;
  VEC(dl_code) codes;       /* run once */
  VEC(dl_trigger) triggers; /* run for every new row: they read the component itself */
  flat_clause_id denier;    /* a clause that denies what the component defines; ID_NONE: none */
  id_vec inputs;            /* relations of other components that it reads, but for static ones */
  uint64_t fluents;         /* dl_plan.fluents of all that it depends on */
  bool can_be_kept;         /* then it has one relation, and: */
  VEC(dl_code) counted;     /* the clauses that do not read the component, to be counted */
} dl_component;

/* What all threads share. */
typedef struct dl_plan {
  const dl_rules *r;
  dl_layout *layouts; /* by flat relation */
  dl_inertia inertia;
  dl_guards guards;
  dl_shape *shapes; /* by rows: those of the flat relations, then the denied ones */
  uint32_t rows_count;
  uint32_t *denied;         /* by flat relation: the rows that a negation reads */
  bool *is_read;            /* by flat relation: some clause does */
  dl_rows *facts;           /* by rows: the static relations; others are empty */
  dl_component *components; /* what a component reads has smaller numbers */
  uint32_t component_count;
  uint32_t *component;    /* by flat relation */
  dl_deltas_vec *readers; /* by flat relation: components that can be kept */
  uint64_t *fluents;      /* by flat relation of `true`: one bit, of its own or shared; else 0 */
  id_vec needs[DL_QUESTION_COUNT];     /* components in the order of evaluation */
  bool reads_moves[DL_QUESTION_COUNT]; /* some of them depend on the moves */
  uint32_t variables_max, steps_max, arity_max;
} dl_plan;

/* When the limits are reached the plan is of no use. */
void dl_plan_make(dl_plan *p, const dl_rules *r, arena *keep, budget *limits);

/* Makes room for running the code. */
void dl_plan_note_sizes(dl_plan *p, const dl_code *code);

#endif
