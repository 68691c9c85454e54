/* Which known name may a misspelled one stand for? */
#ifndef TABIA_RULES_SPELLING_H
#define TABIA_RULES_SPELLING_H

#include "base/text.h"

typedef struct spelling {
  slice word;
  uint32_t distance; /* only a word that is nearer is of interest */
} spelling;

spelling spelling_of(slice word);

/* Tells whether `other` is nearer than all before it, and remembers how near. */
bool spelling_is_nearer(spelling *s, slice other);

#endif
