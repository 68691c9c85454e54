/* Do the rules make finitely many terms? Otherwise gringo and SWI-Prolog would run until memory is
   exhausted. */
#ifndef TABIA_GROUND_OTHERS_BOUNDED_TERMS_H
#define TABIA_GROUND_OTHERS_BOUNDED_TERMS_H

#include "ground/bases.h"

/* False: a rule makes ever larger terms (E804).  Nothing else is reported: that is for the program
   that is asked next. */
bool terms_are_bounded(const program *p, bases_method m, budget *limits, diag_sink *d);

#endif
