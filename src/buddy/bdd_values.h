/* What gates are worth: decision diagrams over the bits of a state.

   Bit b is variable 2b now and 2b+1 after the step.  A gate whose diagram would be large has none:
   it is BDD_LARGE, and sets are cut by its inputs one after another (bdd_where). */
#ifndef TABIA_BUDDY_BDD_VALUES_H
#define TABIA_BUDDY_BDD_VALUES_H

#include "buddy/bdd_question.h"

#include <bdd.h>

enum { BDD_LARGE = -1 };

typedef struct bdd_values {
  const bdd_question *q;
  arena *keep;
  BDD *latches;   /* by latch */
  BDD *gates;     /* by gate: a diagram that is held, or BDD_LARGE */
  bool *by_moves; /* by gate: it depends on moves */
  bool *is_done;  /* by move */
  bool is_beyond; /* a recursive rule is too large: nothing can be said */
} bdd_values;

/* ---- diagrams that are held: a caller gives its own up with bdd_delref ---- */

static inline BDD bdd_held(BDD d) { return bdd_addref(d); }

/* The result in place of the first, which is given up. */
static inline BDD bdd_then(BDD first, BDD second, int operation) {
  const BDD result = bdd_addref(bdd_apply(first, second, operation));
  bdd_delref(first);
  return result;
}

/* All gates with no move done. */
void bdd_values_init(bdd_values *v, const bdd_question *q, arena *keep);

/* Gates that depend on moves, again for a joint move: a move of each role, in q->moves. */
void bdd_values_do(bdd_values *v, const uint32_t *joint);

/* The states of a set in which the wire holds; held. */
BDD bdd_where(const bdd_values *v, BDD set, uint32_t wire);

/* The states of a set in which the bit is 1 after the step. */
BDD bdd_where_set(const bdd_values *v, BDD set, uint32_t bit);

#endif
