/* What holds in every reachable state of a game, proved by induction on its circuit.

   Guesses (facts.h) that the initial state and random play allow are proved together: all of them
   are assumed in a state, one legal step is made from it, and each must hold again.  Those that may
   fail are dropped and the others are tried again, until they are inductive.  Fluents of one name
   are taken first, the smallest groups first, so that facts about turn markers and step counters
   are available for those about the board (core_proofs.h), and facts that some arguments determine
   others; then all remaining guesses together.  The facts that remain hold in the initial state and
   are preserved by every step, which can be checked with one query for each fact.

   With these facts a second question is answered: can a condition hold in a reachable state? 'No'
   is a proof; any other answer means that nothing is known. */
#ifndef TABIA_INDUCT_INDUCT_H
#define TABIA_INDUCT_INDUCT_H

#include "induct/facts.h"

typedef struct induct_options {
  uint32_t sample_steps; /* of 64 random games; 0: as many as are usual, and more while
                            they show what was never true before */
  uint32_t conflicts;    /* for each question; 0: as many as is usual */
  uint64_t seed;
  bool never_true; /* also guess fluents that are never true */
  /* Asked now and then while facts are being found, with what is proved so far: true ends it.  Or
     NULL. */
  bool (*is_enough)(void *context, const fact_set *proved);
  void *context;
} induct_options;

/* How many conflicts a question may take. */
uint32_t induct_conflicts(induct_options o);

typedef struct induct_counts {
  uint32_t guesses, proved, rounds;
  uint64_t questions;
  double seconds;
  bool is_cut_short; /* guesses were let go because their share of the time was over, */
  bool is_unsure;    /* or because a question was too hard */
} induct_counts;

/* Finds and proves facts.  What is not proved when the budget is spent is not there. */
void induct_find_facts(fact_set *proved, const circuit *c, induct_options o, budget *limits,
                       induct_counts *counts);

/* Proves guesses of the caller's own (beside each other, and given what is proved already): those
   that can be are added to `proved`; of 'exactly one' that cannot there may stay 'at most one'. */
void induct_prove(fact_set *proved, const fact_set *guesses, const circuit *c, induct_options o,
                  budget *limits, induct_counts *counts);

/* A conjunction of disjunctions of wires that do not depend on moves. */
typedef struct induct_condition {
  arena *keep;
  VEC(wire) wires;
  id_vec ends; /* by disjunction: where it ends in `wires` */
} induct_condition;

void condition_begin(induct_condition *c, arena *keep);
void condition_add(induct_condition *c, const wire *any, uint32_t count);

/* Asks many conditions about one circuit. */
typedef struct induct_query induct_query;

/* `open_only`: only states that are not terminal count. */
induct_query *induct_query_new(const circuit *c, const fact_set *proved, bool open_only,
                               induct_options o, budget *limits, arena *keep);
void induct_query_free(induct_query *q);

/* True: it was proved that no reachable state meets the condition.  `used`, if not NULL, gets the
   facts (numbers of `proved`) that the proof rests on. */
bool induct_is_unreachable(induct_query *q, const induct_condition *condition, id_vec *used);

#endif
