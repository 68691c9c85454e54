/* One step of a few fluents, as clauses: only what they depend on.

   Moves that they do not distinguish are merged (alike_moves.h), and at first a merged move
   requires only what all of its moves need to be legal (needed_fluents.h). So there are more steps
   here than in the game: a fact that none of them breaks is preserved by every step of the game;
   the other answer means nothing. With this the checker can check one fact of thousands. */
#ifndef TABIA_CERTIFY_PARTIAL_STEP_H
#define TABIA_CERTIFY_PARTIAL_STEP_H

#include "certify/ground_clauses.h"

typedef struct partial_step partial_step;

partial_step *partial_step_new(const ground_program *g, budget *b, arena *keep);
void partial_step_free(partial_step *n);

/* Begins a question about these fluents after a step, and forgets what was asked before. */
void partial_step_begin(partial_step *n, const uint32_t *fluents, uint32_t count);

/* From now on the game has not ended, and a move is made only where one that is one with it is
   legal. */
void partial_step_be_legal(partial_step *n);

/* For further clauses. */
ground_clauses *partial_step_clauses(partial_step *n);

/* The fluent before the step; and after it, for those that the question is about. */
clause_literal partial_step_before(partial_step *n, uint32_t fluent);
clause_literal partial_step_after(partial_step *n, uint32_t fluent);

/* The fluents that were asked for before the step so far: by the rules, or from outside. */
const id_vec *partial_step_fluents(const partial_step *n);

/* True: it is certain that there is no model in which the literal holds. */
bool partial_step_refutes(partial_step *n, clause_literal l);

#endif
