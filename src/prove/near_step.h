/* One step of a few fluents, as clauses: what they depend on and no more.

   Moves that they do not tell apart are one (alike_moves.h), and what makes a move legal is at
   first only what all those that are one with it need (needed_fluents.h).  There are more steps
   here than in the game: what none of them breaks no step does, and the other answer says nothing.
   With this the checker asks about one fact of thousands. */
#ifndef TABIA_PROVE_NEAR_STEP_H
#define TABIA_PROVE_NEAR_STEP_H

#include "prove/ground_clauses.h"

typedef struct near_step near_step;

near_step *near_step_new(const ground_program *g, budget *b, arena *keep);
void near_step_free(near_step *n);

/* Begins a question about these fluents after a step, and forgets what was asked before. */
void near_step_begin(near_step *n, const uint32_t *fluents, uint32_t count);

/* From now on the game has not ended, and a move is made only where one that is one with it is
   legal. */
void near_step_be_legal(near_step *n);

/* For further clauses. */
ground_clauses *near_step_clauses(near_step *n);

/* The fluent before the step; and after it, for those that the question is about. */
clause_literal near_step_before(near_step *n, uint32_t fluent);
clause_literal near_step_after(near_step *n, uint32_t fluent);

/* The fluents that were asked for before the step so far: by the rules, or from outside. */
const id_vec *near_step_fluents(const near_step *n);

/* True: it is certain that there is no model in which the literal holds. */
bool near_step_refutes(near_step *n, clause_literal l);

#endif
