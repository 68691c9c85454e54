/* Do two methods give the same ground program?

   Atoms that a method has made are unfolded (unfold.h) and both are brought to normal form
   (ground_normal_form.h).  They agree when their roles, fluents, initial
   fluents, moves and rules are equal as texts, each in the order of its text. */
#ifndef TABIA_GROUND_OTHERS_GROUND_COMPARE_H
#define TABIA_GROUND_OTHERS_GROUND_COMPARE_H

#include "ground/ground.h"

typedef struct ground_side {
  const char *name; /* of the method, for messages */
  const ground_program *g;
} ground_side;

/* False: they differ; the first difference is reported (E809) with the text of both sides.  The
   ground programs share the terms of the program that they come from, and are not changed. */
bool ground_compare(const program *p, ground_side left, ground_side right, diag_sink *d);

#endif
