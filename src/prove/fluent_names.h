/* Fluents as the rules write them: what stands there may be asked about, though it never holds. */
#ifndef TABIA_PROVE_FLUENT_NAMES_H
#define TABIA_PROVE_FLUENT_NAMES_H

#include "rules/program.h"

/* Do `init`, `true`, `next` or `base` have a fluent with this name and as many arguments, and stand
   all names in it somewhere in the rules?  NULL: yes; otherwise what is wrong with it.  `fluent` is
   canonical KIF and may have variables; `terms` are those of the rules, and maybe more.  `rules`:
   where a relation of them may stand, too; or NULL. */
const char *fluent_complaint(const char *fluent, const term_table *terms, const program *rules,
                             arena *keep);

/* Have the rules a relation with the name of this atom and as many arguments?  `rules` may be NULL:
   then they have those alone that any game has. */
bool relation_is_known(const char *atom, const program *rules);

/* Does such a relation hold in states, and stand all names in the atom somewhere in the rules?
   NULL: yes; otherwise what is wrong. */
const char *relation_complaint(const char *atom, const program *rules, arena *keep);

#endif
