/* Terms from their canonical text, in a table whose names do not grow: others may be reading them.
 */
#ifndef TABIA_RULES_TERM_READ_H
#define TABIA_RULES_TERM_READ_H

#include "rules/term.h"

/* False: it is no ground term, has a name that the table of symbols does not, or is too large;
   `*made` is left alone. */
TERM_MUST_ASK bool term_read_canonical(term_table *t, const char *words, arena *scratch,
                                       term_id *made);

#endif
