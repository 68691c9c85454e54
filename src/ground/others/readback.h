/* A ground program made from atoms and rules that another program printed. */
#ifndef TABIA_GROUND_OTHERS_READBACK_H
#define TABIA_GROUND_OTHERS_READBACK_H

#include "ground/ground.h"

typedef struct readback {
  ground_program *g;
  const program *p;
  arena *scratch;
  id_table atom_index;  /* of named atoms; for readback_atom */
  VEC(term_id) roles;   /* atoms role(r) */
  VEC(term_id) fluents; /* atoms true(f): all that can be */
  VEC(term_id) moves;   /* atoms does(r, m) */
} readback;

/* Clears g; its terms are those of p, whose table grows. */
void readback_start(readback *b, ground_program *g, const program *p, arena *keep, arena *scratch);

/* The number of an atom; a new one when it is met for the first time. */
atom_id readback_atom(readback *b, term_id atom);

/* An atom whose name is not known yet: b->g->atoms may be given it later. */
atom_id readback_unnamed_atom(readback *b);

/* Adds head <= the last `body_count` of g->literals. */
void readback_rule(readback *b, atom_id head, uint32_t body_count);

/* Sorts and connects everything and brings it to normal form.  role and init facts are rules
   without conditions.  False: an atom that is needed has no name. */
bool readback_finish(readback *b);

#endif
