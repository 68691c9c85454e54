/* Fluents as the rules write them: what stands there may be asked about, though it never holds. */
#ifndef TABIA_PROVE_FLUENT_NAMES_H
#define TABIA_PROVE_FLUENT_NAMES_H

#include "rules/term.h"

/* Do `init`, `true`, `next` or `base` have a fluent with this name and as many arguments, and stand
   all names in it somewhere in the rules?  NULL: yes; otherwise what is wrong with it.  `fluent` is
   canonical KIF and may have variables; `terms` are those of the rules, and maybe more. */
const char *fluent_complaint(const char *fluent, const term_table *terms, arena *keep);

#endif
