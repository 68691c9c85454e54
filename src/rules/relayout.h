/* Formats rules (read/format.h), and compares the result with the original: a formatter must not
   change a game. */
#ifndef TABIA_RULES_RELAYOUT_H
#define TABIA_RULES_RELAYOUT_H

#include "base/budget.h"
#include "read/format.h"
#include "rules/program.h"

/* In its own notation anything that reads can be laid out; the other one needs real rules.  `d` has
   what reading and building `p` reported. */
bool rules_can_be_laid_out(const program *p, notation n, const diag_sink *d);

/* False: the result would not say the same, which is a fault of ours.  When the limits are reached
   it is not compared, and of no use. */
bool rules_lay_out(const program *p, notation n, budget *limits, text *out);

#endif
