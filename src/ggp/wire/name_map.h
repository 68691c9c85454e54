/* Names that are written otherwise elsewhere: from canonical names to the spelling of the rules,
   or to scrambled names and back. */
#ifndef TABIA_GGP_WIRE_NAME_MAP_H
#define TABIA_GGP_WIRE_NAME_MAP_H

#include "base/hash.h"
#include "base/text.h"
#include "base/vec.h"

typedef struct name_pair {
  slice from; /* in lower case */
  slice to;
} name_pair;

typedef struct name_map {
  arena *keep;
  VEC(name_pair) pairs;
  id_table index;
} name_map;

name_map name_map_new(arena *keep);

/* Adds a name, unless it is there already; false then.  The texts are copied. */
bool name_map_put(name_map *m, slice from, slice to);
const name_pair *name_map_find(const name_map *m, slice from); /* in any case; NULL: not there */

/* Every name of the terms with the spelling in which the terms have it first: a move must be sent
   in the rules' own case. */
void name_map_learn_case(name_map *m, slice terms);

/* Adds the terms with their names exchanged, spaced as in sexp.h; a name that is not there stays.
 */
void name_map_add_terms(const name_map *m, slice terms, text *out);
const char *name_map_terms(const name_map *m, const char *terms, arena *keep);

#endif
