/* Canonical KIF: one text for each term.

   Lower case, one space between two elements, none inside of a parenthesis, (a) is a, names with
   escapes where they need them (escape.h).  States, moves and properties are compared, sorted and
   hashed as such texts. */
#ifndef TABIA_READ_CANONICAL_H
#define TABIA_READ_CANONICAL_H

#include "read/tree.h"

void canonical_print(const tree *t, node_id n, arena *scratch, text *out);

/* How long a name at the start of a canonical text is, and how long a whole term; 0 for a name
   where the text begins otherwise.  A name that begins with `?` is a variable. */
size_t canonical_name_length(const char *at);
size_t canonical_term_length(const char *at);

/* The constant that the name at `at` stands for; SYM_NONE: the table does not have it. */
symbol_id canonical_find(const symbol_table *symbols, slice name, arena *scratch);

/* Terms that somebody writes in KIF, one after another. */
typedef struct canonical_terms {
  VEC(const char *) items;
} canonical_terms;

/* False: `why` says what is wrong with the words. */
bool canonical_read(canonical_terms *terms, slice words, arena *keep, const char **why);

#endif
