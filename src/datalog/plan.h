/* The order in which, and the indexes by which, the literals of a clause are joined.

   A plan begins with rows that are given (the new facts of one body literal, or heads that are
   wanted), or with nothing.  Each further positive literal is a step that looks rows up by the
   columns that are bound so far.  `distinct` and negation are checked as soon as their variables
   are bound. */
#ifndef TABIA_DATALOG_PLAN_H
#define TABIA_DATALOG_PLAN_H

#include "datalog/join_order.h"

/* Where a value comes from: a ground term, a variable that is bound, or a pattern of bound
   variables. */
typedef enum value_kind { VALUE_TERM, VALUE_VARIABLE, VALUE_PATTERN } value_kind;

typedef struct value {
  value_kind kind;
  uint32_t id; /* a term, or the number of a variable */
} value;

/* What to do with a cell of a row. */
typedef enum cell_action_kind { CELL_BIND, CELL_EQUALS, CELL_MATCH } cell_action_kind;

typedef struct cell_action {
  cell_action_kind kind;
  uint32_t column;
  value with;      /* CELL_BIND: the variable; CELL_MATCH: a pattern with free variables */
  uint32_t *fresh; /* CELL_MATCH: the variables that it binds */
  uint32_t fresh_count;
} cell_action;

/* A condition over bound variables. */
typedef struct check {
  literal_kind kind; /* LITERAL_NEGATIVE: no such row; LITERAL_DISTINCT: two values differ */
  uint32_t literal;  /* which of the clause */
  flat_id relation;
  value *values;
} check;

typedef enum step_kind { STEP_GIVEN, STEP_SCAN, STEP_LOOKUP, STEP_FIND } step_kind;

typedef struct step {
  step_kind kind;
  uint32_t literal; /* which body literal of the clause; PLAN_HEAD for its head */
  flat_id relation;
  uint32_t index; /* STEP_LOOKUP */
  value *key; /* STEP_LOOKUP: a value for each column of the index; STEP_FIND: for each column */
  uint32_t key_count;
  cell_action *actions;
  uint32_t action_count;
  check *checks; /* after the actions */
  uint32_t check_count;
} step;

typedef struct plan {
  flat_clause_id clause;
  uint32_t given; /* a body literal, PLAN_HEAD or PLAN_NOTHING */
  check *checks;  /* before the first step */
  uint32_t check_count;
  step *steps;
  uint32_t step_count;
  uint32_t last_head_step; /* no later step binds a variable of the head */
  value *head;             /* a value for each column of the head */
  uint32_t magnitude;      /* of the body's tables when this was made */
} plan;

/* Plans a clause for the tables as they are now; makes the indexes that the plan uses.
   Negated literals of relations in `is_open` are not checked: they are for the caller.  The little
   that is needed on the way stays in `keep`, too, which is not the arena of the tables. */
void plan_make(plan *p, const flat_program *f, table *tables, const bool *is_open, flat_clause_id c,
               uint32_t given, arena *keep);

/* Arguments as values, for when all their variables are bound. */
value *plan_values(const flat_program *f, uint32_t args, uint32_t count, arena *keep);

/* How large the tables of the clause's positive literals are: the bits of their row counts, summed.
   A plan is worth making anew when this has grown. */
uint32_t plan_magnitude(const flat_program *f, const table *tables, flat_clause_id c);

#endif
