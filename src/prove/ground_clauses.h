/* Ground rules as clauses over several steps: the checker's own way to the SAT solver, which has
   nothing in common with circuits and what is made of them.

   An atom holds exactly when the body of one of its rules does.  Where rules are recursive that
   allows more than the one model that counts, so that 'no' is always right; when the answer is
   'yes' what is missing is added (ground_least.c) and the question asked again. */
#ifndef TABIA_PROVE_GROUND_CLAUSES_H
#define TABIA_PROVE_GROUND_CLAUSES_H

#include "ground/ground.h"

typedef int32_t clause_literal; /* never 0 */

/* The variables of one moment. */
typedef struct ground_moment {
  clause_literal *fluents; /* by fluent */
  clause_literal *moves;   /* by move */
  clause_literal *atoms;   /* by atom */
} ground_moment;

typedef struct ground_clauses {
  const ground_program *g;
  arena *keep;
  void *solver;
  int32_t variables;
  clause_literal truth;
  VEC(ground_moment) moments;
  uint32_t *fluent_of; /* by atom: it is `true` of that fluent, or ID_NONE */
  uint32_t *move_of;   /* by atom: it is `does` of that move, or ID_NONE */
  uint32_t *part;      /* by atom: its strongly connected part; NULL: not found yet */
  uint32_t *part_size; /* by atom: atoms of its part, 0: it does not depend on itself */
  bool has_recursion;
  uint32_t least_moments; /* that allow the one model that counts alone */
} ground_clauses;

void ground_clauses_init(ground_clauses *c, const ground_program *g, budget *b, arena *keep);
void ground_clauses_free(ground_clauses *c);

/* A further moment: the first one has any state, each other one what the rules say of the one
   before. */
void ground_clauses_add_moment(ground_clauses *c);

/* The first moment is the start. */
void ground_clauses_start(ground_clauses *c);

/* In this moment each role makes exactly one move, a legal one, and the game has not ended. */
void ground_clauses_step(ground_clauses *c, uint32_t time);

clause_literal ground_clauses_atom(const ground_clauses *c, atom_id a, uint32_t time);

/* Allows the one model that counts alone, in all moments that there are.  False: it was so before.
 */
bool ground_clauses_make_least(ground_clauses *c);

clause_literal clauses_new_variable(ground_clauses *c);
void clauses_add(ground_clauses *c, const clause_literal *clause, uint32_t count);

/* A literal that holds exactly when one of these does, or when all do. */
clause_literal clauses_any(ground_clauses *c, const clause_literal *all, uint32_t count);
clause_literal clauses_all(ground_clauses *c, const clause_literal *all, uint32_t count);

/* True: it is certain that there is no model in which the literal holds. */
bool clauses_refute(ground_clauses *c, clause_literal l);

#endif
