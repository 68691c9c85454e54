/* What the rules of a game say about a state, or about a state and the one after it: predicate
   completion.

   Read as axioms the rules give the facts that they derive; that nothing else holds is asked for
   atom by atom, with theory_source: an atom holds by a listed fact or by a rule whose clauses are
   found there.  That is right for definitions that are not recursive; the others are not complete.
 */
#ifndef TABIA_PROVE_FIRST_ORDER_THEORY_H
#define TABIA_PROVE_FIRST_ORDER_THEORY_H

#include "prove/first_order/axioms.h"
#include "prove/first_order/listed_facts.h"
#include "rules/analysis.h"

typedef enum theory_kind {
  THEORY_STATE, /* any state at 0 */
  THEORY_START, /* the first state at 0 */
  THEORY_STEP   /* any state at 0, a move for each role, the next state at 1 */
} theory_kind;

typedef struct theory {
  arena *keep;
  const program *p;
  const analysis *a;
  const listed_facts *facts;
  theory_kind kind;
  axiom_set rules;
  const bool *is_needed;       /* by relation: legal, terminal, next or init depend on it */
  const uint32_t *rule_counts; /* by relation: its clauses that are not listed facts */
  bool *is_forward; /* by relation: each of its rules has a positive literal that changes with the
                       state, so that its atoms are found from what holds */
} theory;

/* Where the clauses are that say when an atom holds. */
typedef struct atom_source {
  relation_id relation; /* whose clauses they are; the arguments of their heads are the atom's */
  uint32_t time;        /* of their bodies */
  bool is_free;         /* there are none: it may hold or not */
  bool is_complete;     /* it holds only by one of them */
} atom_source;

/* Which relations matter; one of them that is recursive and changes with the state is in
   `recursive`, or RELATION_NONE. */
const bool *theory_needs(const analysis *a, arena *keep, relation_id *recursive);

void theory_init(theory *t, theory_kind kind, const analysis *a, const bool *is_needed,
                 const listed_facts *facts, arena *keep);

atom_source theory_source(const theory *t, relation_id r, uint32_t time);

/* A literal of a rule that is read at that time. */
statement theory_statement(const theory *t, const literal *l, uint32_t time);

/* The last time of the theory: 1 for a step, else 0. */
static inline uint32_t theory_end(const theory *t) { return t->kind == THEORY_STEP; }

#endif
