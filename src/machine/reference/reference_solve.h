/* Answers questions about a state: `(legal ?0 ?1)`, `(next ?0)`, `(lost white)`.

   Evaluation is driven by questions.  A question is an atom whose variables stand for whatever
   makes it true; each question is asked once and its answers are kept, so recursion ends when no
   new answer turns up.  A rule that needs the answers to another question leaves a reader there
   and is taken up again for each answer; no call waits on the stack, so no rulesheet can overflow
   it.

   A negated condition waits until its question is complete.  When nothing is left to do, every
   question is complete that does not, by way of its readers, depend on a rule that still waits; the
   rules that wait for one of those go on.  So only the questions that are really asked must be
   stratified, and rules that are stratified only once they are ground are evaluated correctly.  If
   all remaining rules wait for each other, they have no meaning here, which is reported as trouble.

   This is SLG resolution (Chen and Warren, 'Tabled evaluation with delaying', 1996) without
   delaying. */
#ifndef TABIA_MACHINE_REFERENCE_REFERENCE_SOLVE_H
#define TABIA_MACHINE_REFERENCE_REFERENCE_SOLVE_H

#include "machine/machine.h"
#include "machine/reference/reference_tables.h"

typedef struct solver solver;

/* For one thread.  What goes wrong is written to `trouble`; then nothing is answered any more. */
solver *solver_new(const ref_rules *r, budget *b, machine_trouble *trouble);
void solver_free(solver *s);
size_t solver_bytes(const solver *s);

/* Terms of the solver: those of the rules have the same numbers in every solver. */
term_table *solver_terms(solver *s);

void solver_set_state(solver *s, const term_id *fluents, uint32_t count);
void solver_set_moves(solver *s, const term_id *does, uint32_t count); /* atoms (does r m) */

/* The complete question; NULL: trouble.  It stays until its layer is cleared. */
const question *solver_ask(solver *s, term_id atom);

#endif
