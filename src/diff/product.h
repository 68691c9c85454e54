/* Two rulesheets as one game, for provers: both run side by side on the moves of the old one, and
   the game ends, with 100 for a role, where they differ.  So they are the same game if and only if
   that role can never win.

   Every relation R of the old rules is old-R, every fluent F is (old F), and likewise for the new
   ones, whose names are translated; `does` and `role` are common. */
#ifndef TABIA_DIFF_PRODUCT_H
#define TABIA_DIFF_PRODUCT_H

#include "diff/side_by_side.h"

/* One of two rulesheets, in whose text names of relations begin with the prefix. */
typedef struct product_side {
  const program *p;
  const diff_names *names; /* from which names are translated; NULL: they stay */
  const char *prefix;      /* "old" */
} product_side;

/* Adds a clause in KIF, with numbers for variables. */
void product_add_clause(const product_side *s, const clause *c, text *out);

/* Writes it in KIF.  `roles` are those of the old rules. */
void product_write(const diff_question *q, const char *const *roles, uint32_t count, text *out);

#endif
