/* The tables of the evaluator of the reference machine: facts, questions with their answers, and
   the rules that read those.

   Each question is stored once, and so is each of its answers. The tables also hold the agenda for
   reference_solve: questions to expand, answers to read, rules that need not wait any more.

   Facts and questions are in layers, by how long they stay valid; a layer is cleared as a whole.
   The tables own all memory of the evaluator. */
#ifndef TABIA_MACHINE_REFERENCE_REFERENCE_TABLES_H
#define TABIA_MACHINE_REFERENCE_REFERENCE_TABLES_H

#include "base/budget.h"
#include "machine/reference/reference_facts.h"
#include "machine/reference/reference_plan.h"

struct reader;

typedef struct question {
  term_id atom; /* its variables are ?0, ?1, ... in this order */
  relation_id relation;
  uint32_t columns;      /* how many variables */
  id_vec answers;        /* answer_count rows of `columns` ground terms: values of the variables */
  uint32_t answer_count; /* without columns 0 or 1: no or yes */
  ref_layer layer;
  bool is_complete; /* no further answer can come */
  bool is_blocked;  /* while looking for complete ones: waits, or depends on one that does */
  struct reader *readers;
} question;

/* A rule that has come as far as `step`. */
typedef struct rule_place {
  question *owner; /* what the rule's head answers */
  const ref_plan *plan;
  uint32_t step;
} rule_place;

/* A rule that reads the answers of `source` in its step; or, for a negated condition, waits for
   `source` to be complete. */
typedef struct reader {
  struct reader *other; /* of the same source */
  rule_place rule;
  question *source;
  uint32_t next_answer; /* of the source: those before it have been read */
  bool is_queued;
  term_id bindings[]; /* before the step */
} reader;

typedef VEC(reader *) reader_vec;
typedef VEC(question *) question_vec;

/* An answer of a question, as the table of answers knows it. */
typedef struct answer_ref {
  const question *question;
  uint32_t row;
} answer_ref;

/* What is thrown away together. */
typedef struct layer_tables {
  arena *keep;
  fact_store facts;
  question_vec questions;
  VEC(answer_ref) answers; /* of all its questions */
  id_table answer_index;
} layer_tables;

typedef struct ref_tables {
  const ref_rules *rules;
  budget *budget;
  arena *keep; /* terms and all that stays */
  term_table terms;
  layer_tables layers[LAYER_COUNT];
  uint32_t *question_of; /* by atom: its place in questions of its layer, if it is there */
  uint32_t question_of_size;

  /* what is to be done */
  arena *agenda;
  question_vec to_expand; /* neither facts nor rules were asked yet */
  reader_vec to_read;     /* there are answers that they did not read */
  question_vec open;      /* questions that are not complete */
  reader_vec waiting;     /* for a question to be complete */
  reader_vec woken;       /* those that had waited enough when it was last looked */
  question_vec blocked;   /* whose readers are still to be blocked */
} ref_tables;

/* With the facts of the rules in the static layer. */
ref_tables *ref_tables_new(const ref_rules *r, budget *b);
void ref_tables_free(ref_tables *t);
size_t ref_tables_bytes(const ref_tables *t);

/* Empties the layer; these are its facts now. */
void ref_tables_fill(ref_tables *t, ref_layer which, const term_id *facts, uint32_t count);

/* The question with this atom, of `columns` variables; a new one is to be expanded. */
question *ref_question(ref_tables *t, term_id atom, relation_id relation, uint32_t columns);

void ref_answer_add(ref_tables *t, question *q, const term_id *row); /* if it is new */
const term_id *ref_answer(const question *q, uint32_t row);

void ref_read_answers(ref_tables *t, rule_place rule, const term_id *bindings, question *source);
void ref_wait_for(ref_tables *t, rule_place rule, const term_id *bindings, question *source);

/* When nothing is to be read or expanded: completes every question that does not, by way of its
   readers, depend on a rule that waits. */
void ref_complete_questions(ref_tables *t);

/* Moves those that waited long enough from `waiting` to `woken`. */
void ref_wake(ref_tables *t);

#endif
