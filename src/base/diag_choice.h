/* Which diagnostics are reported, and which warnings count as errors.

   Errors are always reported.  A warning is on by default if its fault is likely to make a game
   play differently from what its author intends; warnings about style, or about what is right in
   many sound games, are off. */
#ifndef TABIA_BASE_DIAG_CHOICE_H
#define TABIA_BASE_DIAG_CHOICE_H

#include "base/diag.h"

typedef struct diag_choice {
  bool is_off[DIAG_KIND_COUNT];
  bool is_error[DIAG_KIND_COUNT]; /* of warnings: they reject */
} diag_choice;

void diag_choice_default(diag_choice *c);
bool diag_is_on_by_default(diag_kind kind);

/* Takes one word as an option `-W` has it:
     all           every code on
     CODE          on; a code is W406 or its name, single-variable
     no-CODE       off
     error         every warning that is on rejects
     error=CODE    on, and it rejects
   False, with `why` for the user in the arena: there is no such code, or it is an error, which
   is always on. */
bool diag_choice_take(diag_choice *c, const char *word, const char **why, arena *keep);

/* The kind with this code or name; DIAG_KIND_COUNT: there is none. */
diag_kind diag_kind_named(const char *word);

/* The code or name nearest to a word; NULL: none is near. */
const char *diag_name_nearest(const char *word);

/* Makes errors of the warnings that reject.  After the last diag_add: stages tell by the number of
   errors whether they may go on. */
void diag_choice_promote(const diag_choice *c, diag_sink *d);

static inline bool diag_is_on(const diag_sink *d, diag_kind kind) {
  return !d->choice || !d->choice->is_off[kind];
}

#endif
