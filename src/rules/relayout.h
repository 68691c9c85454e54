/* Rules laid out anew (read/format.h), and compared with what they were: a formatter must not
   change a game. */
#ifndef TABIA_RULES_RELAYOUT_H
#define TABIA_RULES_RELAYOUT_H

#include "read/format.h"
#include "rules/program.h"

/* In its own notation anything that reads can be laid out; the other one needs real rules.  `d` has
   what reading and building `p` reported. */
bool rules_can_be_laid_out(const program *p, notation n, const diag_sink *d);

/* False: the result would not say the same, which is a fault of ours. */
bool rules_lay_out(const program *p, notation n, text *out);

#endif
