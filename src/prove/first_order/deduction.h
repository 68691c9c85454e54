/* First-order deduction: does a contradiction follow from axioms?

   A SAT solver looks for a model of instances of the axioms.  In the model that it proposes, equal
   things are put together, what holds is completed by what it must hold by, and instances of axioms
   that the model breaks are added, with new constants (Skolem's) where something is said to exist;
   then it is asked again.  When it has no model left, the axioms contradict each other, whatever
   the unknown constants stand for and whichever of them are equal: every model is an abstract state
   with one of these equivalences, and each was looked at or ruled out.

   All limits are on the safe side: 'no contradiction' means only that none was found. */
#ifndef TABIA_PROVE_FIRST_ORDER_DEDUCTION_H
#define TABIA_PROVE_FIRST_ORDER_DEDUCTION_H

#include "base/budget.h"
#include "prove/first_order/theory.h"

/* The name of a relation that no game has, for unknown things that axioms speak of. */
enum { CASE_NAME = SYM_AND };

typedef struct deduction_result {
  bool is_contradiction;
  bool is_cut_short;     /* by a limit */
  uint32_t models;       /* abstract states that were looked at */
  uint32_t instances;    /* of axioms that were needed */
  const char *situation; /* what is done and holds in the last model, in `keep`; or NULL */
} deduction_result;

/* Its limits. */
typedef struct deduction_limits {
  uint32_t models;
  uint32_t instances;
} deduction_limits;

/* The rules of the theory and up to three more sets of axioms; `sets` is ended by NULL. */
deduction_result deduce(const theory *t, const axiom_set *const *sets, deduction_limits most,
                        budget *b, arena *keep);

#endif
