/* Places cells whose names have no coordinates, by the steps between them: every direction is a
   constant difference of places, so a few steps place all cells.  Two directions make squares; a
   third that is their sum, or their difference, makes hexagons. */
#ifndef TABIA_BOARD_EVIDENCE_LATTICE_H
#define TABIA_BOARD_EVIDENCE_LATTICE_H

#include "board/evidence/split.h"
#include "board/evidence/steps.h"

typedef struct lattice {
  double *x, *y; /* by place in the domain; y grows downwards */
  bool is_of_hexagons;
} lattice;

/* False: the facts do not place most of the values.  Those that they leave out lie in rows
   below. */
bool lattice_find(lattice *l, const statics *s, const names *values, const id_vec *domain,
                  arena *keep);

/* Do steps contradict the coordinates that such names seem to have, and place the values
   themselves? */
bool lattice_denies_split(const statics *s, const names *values, const id_vec *domain,
                          split_form form);

#endif
