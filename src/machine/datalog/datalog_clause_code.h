/* A clause as the machine `datalog` runs it.

   Steps are nested loops over rows.  A literal whose variables are all bound is a check after the
   step that bound the last of them, and so are negation, `distinct`, and a static relation of which
   at most one fact can match.  If facts have places, looking one up is a sum over the bound
   variables and one bit.

   A clause can also be counted: then every way to satisfy it adds to the tally of its head.  When
   some facts of a relation are added or removed (they are marked), the ways that change are those
   that use such a fact.  Each is found once: with a marked fact for the given literal, none for
   literals of the same relation before it, and any for those after it. */
#ifndef TABIA_MACHINE_DATALOG_DATALOG_CLAUSE_CODE_H
#define TABIA_MACHINE_DATALOG_DATALOG_CLAUSE_CODE_H

#include "machine/datalog/datalog_rows.h"

/* Where a value comes from: a ground term, a variable that is bound, or a pattern of bound
   variables. */
typedef enum dl_value_kind { DL_TERM, DL_VARIABLE, DL_PATTERN } dl_value_kind;

typedef struct dl_value {
  dl_value_kind kind;
  uint32_t id; /* a term, or the number of a variable */
} dl_value;

/* What a variable adds to a place or to a key. */
typedef struct dl_part {
  const uint32_t *parts; /* by constant */
  uint32_t variable;
} dl_part;

/* A place, or a key of an index, when all its variables are bound. */
typedef struct dl_key {
  bool is_hashed;
  uint32_t size; /* places or keys; a sum that is not below it stands for none */
  uint32_t base; /* what constants add */
  dl_part *parts;
  uint32_t part_count;
  dl_value *values; /* every column, in order */
  uint32_t value_count;
} dl_key;

typedef struct dl_bind {
  uint32_t column;
  uint32_t variable;
} dl_bind;

typedef struct dl_equal {
  uint32_t column;
  dl_value with;
} dl_equal;

typedef enum dl_check_kind {
  DL_DISTINCT,
  DL_PRESENT,
  DL_ABSENT_FACT,
  DL_PRESENT_UNMARKED, /* marked facts do not count as there */
  DL_ABSENT_UNMARKED,
  DL_FUNCTION /* the one fact with this key is there; binds its other cells */
} dl_check_kind;

/* What is done once behind a step.  Checks are taken in their order. */
typedef struct dl_check {
  dl_check_kind kind;
  uint32_t rows;  /* which rows of the model */
  uint32_t index; /* DL_FUNCTION */
  dl_key key;     /* DL_DISTINCT: its two values are the terms */
  dl_bind *binds; /* DL_FUNCTION */
  uint32_t bind_count;
  dl_equal *equals; /* after the binds */
  uint32_t equal_count;
} dl_check;

/* A cell that is a term with free variables in it. */
typedef struct dl_match {
  uint32_t column;
  term_id pattern;
  uint32_t *fresh; /* the variables that it binds */
  uint32_t fresh_count;
} dl_match;

typedef struct dl_step {
  bool is_chain;    /* else all rows, or the given ones */
  bool is_static;   /* the rows never change, and are those of all threads */
  bool is_unmarked; /* marked facts do not count */
  uint32_t rows;
  uint32_t index; /* of a chain */
  dl_key key;     /* of a chain */
  dl_bind *binds;
  uint32_t bind_count;
  dl_equal *equals; /* after the binds */
  uint32_t equal_count;
  dl_match *matches;
  uint32_t match_count;
  dl_check *checks;
  uint32_t check_count;
} dl_step;

typedef struct dl_code {
  uint64_t needs,
      denies; /* bits (datalog_clause_filter.h) without which, or with which, nothing follows */
  flat_clause_id clause; /* of dl_rules.dynamic */
  uint32_t head;         /* rows of the model */
  dl_key head_key;
  dl_check *checks; /* before the first step */
  uint32_t check_count;
  dl_step *steps;
  uint32_t step_count;
  uint32_t
      head_steps;  /* later steps bind no variable of the head: one way through them is enough */
  bool is_given;   /* the first step takes given rows */
  bool is_counted; /* adds to the tally */
} dl_code;

typedef struct dl_compiler {
  const dl_rules *r;
  const dl_layout *layouts; /* by flat relation */
  dl_shape *shapes;         /* by rows of the model; get the indexes that are used */
  const uint32_t *denied;   /* by flat relation: the rows that a negation of it reads */
  arena *keep;
} dl_compiler;

/* `given` is a positive body literal or DL_NOTHING. */
void dl_compile(dl_code *code, const dl_compiler *c, flat_clause_id clause, uint32_t given);

/* The same to be counted; `given` may be a negated literal, too: the given rows are what it denies.
 */
void dl_compile_counted(dl_code *code, const dl_compiler *c, flat_clause_id clause, uint32_t given);

#endif
