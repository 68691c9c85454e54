/* A private copy of a table of terms: a machine that makes new terms must not change the program's
   table. */
#ifndef TABIA_RULES_TERM_COPY_H
#define TABIA_RULES_TERM_COPY_H

#include "rules/term.h"

/* The same terms under the same numbers. */
void terms_copy(term_table *to, const term_table *from, arena *keep);

/* One term, in a table of other numbers.  Their symbols are the same. */
term_id term_copy(term_table *to, const term_table *from, term_id id, arena *scratch);

#endif
