/* Names that differ between two rulesheets: a map, given by its author as pairs OLD NEW.

   Texts are canonical KIF.  A name that is in no pair is the same on both sides. */
#ifndef TABIA_DIFF_DIFF_NAMES_H
#define TABIA_DIFF_DIFF_NAMES_H

#include "rules/program.h"

typedef struct diff_pair_of_names {
  const char *from, *to;
} diff_pair_of_names;

typedef struct diff_names {
  diff_pair_of_names *to_new, *to_old; /* each sorted by `from` */
  uint32_t count;
} diff_names;

/* Reads pairs in KIF, with blanks, line ends or comments between them.  False: `complaint` says
   what is wrong: a name twice, a word of the language, or an old name that the new rules use for
   something else. */
bool diff_names_read(diff_names *n, const char *words, const program *new_rules, arena *keep,
                     const char **complaint);

/* A term or a clause with its names exchanged. */
const char *names_to_new(const diff_names *n, const char *canonical, arena *keep);
const char *names_to_old(const diff_names *n, const char *canonical, arena *keep);

#endif
