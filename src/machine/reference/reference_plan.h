/* The rules as the reference machine evaluates them: each clause with an order of its conditions.

   The order is that of the text, except for tests: a `distinct` or a fact is tested as soon as its
   variables are bound, and a negated condition waits until nothing can bind its variables any more.
   A variable that is free even then means 'there is none'.  A relation that is only defined for
   given arguments (`(<= (differ ?a ?b) (distinct ?a ?b))`) is queried once they are bound.  A rule
   of very many conditions or variables is evaluated as it is written, positive conditions first. */
#ifndef TABIA_MACHINE_REFERENCE_REFERENCE_PLAN_H
#define TABIA_MACHINE_REFERENCE_REFERENCE_PLAN_H

#include "base/bitset.h"
#include "rules/program.h"

/* How long an answer stays right. */
typedef enum ref_layer {
  LAYER_STATIC, /* for ever */
  LAYER_STATE,  /* while the state is the same: depends on `true` */
  LAYER_MOVE,   /* while the joint move is the same: depends on `does` */
  LAYER_COUNT
} ref_layer;

typedef struct ref_condition {
  literal_kind kind;
  relation_id relation; /* RELATION_NONE for distinct */
  term_id atom;         /* of `(true f)` only f: the facts of a state are its fluents */
} ref_condition;

typedef struct ref_clause {
  relation_id relation; /* of the head */
  term_id head;
  ref_condition *body;
  uint32_t body_count;
  uint32_t variable_count;
  clause_id origin;
} ref_clause;

typedef struct ref_relation {
  ref_layer layer;
  bool is_listed;      /* all that is known of it are facts */
  uint32_t first_rule; /* rules first_rule ..+ rule_count-1 define it, besides its facts */
  uint32_t rule_count;
  uint64_t needs; /* arguments that have no meaning unless given, one bit each */
} ref_relation;

typedef struct ref_rules {
  const program *program;
  term_table *terms;       /* those of the program, and a few more */
  ref_relation *relations; /* by relation_id */
  VEC(ref_clause) rules;   /* those that are no ground facts, by relation */
  VEC(term_id) facts;      /* ground, in the order of the text */
  uint32_t variables_max;  /* of all rules */
  uint32_t body_max;
  uint64_t *room; /* a bit for each of variables_max, while this is built */
} ref_rules;

/* `terms` starts as a copy of the program's terms. */
void ref_rules_build(ref_rules *r, const program *p, term_table *terms, arena *keep);

typedef enum step_kind {
  STEP_FACTS,   /* look up facts, and bind variables */
  STEP_FACT,    /* nothing left to bind: is it a fact? */
  STEP_NO_FACT, /* is there no such fact? */
  STEP_ASK,     /* read the answers to a question */
  STEP_DENY,    /* has the question no answer? */
  STEP_DISTINCT,
  STEP_UNSAFE /* a distinct whose variables nothing binds */
} step_kind;

typedef struct ref_step {
  step_kind kind;
  relation_id relation;
  ref_layer layer; /* of the relation */
  term_id atom;
  uint32_t *free; /* the variables that are free before it, in the order of the atom */
  uint32_t free_count;
  bool once; /* nothing behind it uses what it binds: one solution is enough */
} ref_step;

/* A clause when the variables in `bound` are bound by the question. */
typedef struct ref_plan {
  struct ref_plan *other; /* of the same clause */
  const ref_clause *clause;
  bitset bound;
  ref_step *steps;
  uint32_t step_count;
} ref_plan;

ref_plan *ref_plan_new(const ref_rules *r, const ref_clause *c, bitset bound, arena *keep);

#endif
