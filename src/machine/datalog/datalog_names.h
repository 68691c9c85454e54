/* Numbers for terms that are not known before a game is played, shared by all threads.

   Every thread has a table of terms of its own; the same term may have different numbers there.
   The shared table gives each a number that is good for all. */
#ifndef TABIA_MACHINE_DATALOG_DATALOG_NAMES_H
#define TABIA_MACHINE_DATALOG_DATALOG_NAMES_H

#include "datalog/flat.h"

typedef struct dl_names dl_names;

dl_names *dl_names_new(const term_table *terms); /* starts as a copy */
void dl_names_free(dl_names *n);

/* A copy of the terms that all threads start with. */
void dl_terms_copy(term_table *to, const term_table *from, arena *keep);

uint32_t dl_name(dl_names *n, const term_table *from, term_id t);
term_id dl_named(dl_names *n, uint32_t name, term_table *to);

/* The name of the term with this canonical text.  False: the rules cannot make one. */
bool dl_name_read(dl_names *n, const char *canonical, uint32_t *name);

/* The row that the named term has in a relation of its own kind, such as true(_).  False: it has no
   place there. */
bool dl_name_match(dl_names *n, const flat_program *f, flat_id relation, uint32_t name,
                   term_id *row);

/* Prints the named term; or argument `argument` of the skeleton with its holes filled by terms that
   all threads know. */
void dl_print_name(dl_names *n, uint32_t name, text *out);
void dl_print_argument(dl_names *n, term_id skeleton, const term_id *row, uint32_t argument,
                       text *out);

#endif
