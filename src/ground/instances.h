/* The instances of clauses: a rule for each way to derive an atom that is needed.

   Rows of tables become atoms when they are first needed, by a caller or by the body of a rule.  So
   atoms that nothing needs are never made. */
#ifndef TABIA_GROUND_INSTANCES_H
#define TABIA_GROUND_INSTANCES_H

#include "ground/ground.h"

typedef struct instances instances;

/* Rules will be added to `g`; names of atoms are for the caller.  The tables of `b` must not change
   meanwhile. */
instances *instances_new(ground_program *g, const bases *b, arena *scratch, budget *limits);
void instances_free(instances *x); /* before `scratch` is freed */

/* The atom of a row; from now on it is needed. */
atom_id instances_need(instances *x, flat_id r, uint32_t row);

/* Adds the rules of all that is needed, and of what they need in turn.  False: a limit was reached,
   now or before. */
bool instances_make(instances *x);

/* The atoms of a relation by row, ATOM_NONE where one is not needed; NULL: none is. */
const atom_id *instances_atoms(const instances *x, flat_id r);

uint32_t instances_atom_count(const instances *x);

#endif
