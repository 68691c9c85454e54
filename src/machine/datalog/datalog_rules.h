/* What the machine `datalog` computes before it plays: the rules over flat relations, the static
   facts, and the sizes of the other relations in the states of a sampled game.

   Only what role, init, legal, next, terminal, goal and sees need is looked at: `base` and `input`
   are not evaluated.  The terms are a table of this machine alone.  Its first `constant_count`
   terms are all the constants of the rules, in the order of their text. */
#ifndef TABIA_MACHINE_DATALOG_DATALOG_RULES_H
#define TABIA_MACHINE_DATALOG_DATALOG_RULES_H

#include "datalog/engine.h"

/* How long a fact stays right. */
typedef enum dl_layer {
  DL_STATIC, /* for ever */
  DL_STATE,  /* while the state is the same */
  DL_MOVE,   /* while the joint move is the same: depends on `does` */
} dl_layer;

typedef struct dl_rules {
  program linked; /* the rules that are needed, over `terms` */
  term_table terms;
  uint32_t constant_count;
  flat_program flat;    /* the clauses to evaluate in a state, and those that link true and does to
                           what can follow */
  flat_program dynamic; /* the same without the links */
  dl_layer *layers;     /* by flat relation */
  table *facts;         /* by flat relation: of the static ones */
  arena *facts_keep;    /* holds them */
  id_vec *functions;    /* by flat relation: what dl_is_function has found */
  double *expected;     /* by flat relation: facts in a state, on average */
  bool has_generic;     /* some relation holds terms of any shape */
  clause_id first_inertia; /* clauses of `linked` that say what stays by itself: */
  uint32_t inertia_count;
} dl_rules;

/* The last `inertia_count` clauses of the program say what stays by itself (datalog_inertia.h).
   False: the rules cannot be evaluated bottom-up, or a limit was reached (reported).  In both cases
   dl_rules_free_facts is due when the facts are not needed any more. */
bool dl_rules_make(dl_rules *r, const program *p, uint32_t inertia_count, arena *keep,
                   budget *limits, diag_sink *d);
void dl_rules_free_facts(dl_rules *r);

/* Whether at most one fact of a static relation agrees with values in these columns (one bit each).
   The facts must be there. */
bool dl_is_function(const dl_rules *r, flat_id relation, uint32_t columns, arena *keep);

/* The flat relation whose atoms are those of `r` under another keyword with as many arguments;
   ID_NONE when there is none. */
flat_id dl_under_keyword(const dl_rules *r, flat_id relation, symbol_id keyword);

#endif
