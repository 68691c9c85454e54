/* 'Did you mean ...?': which known word may a misspelled one stand for?

     spelling s = spelling_of(slice_of(typed));
     for (...) spelling_is_nearer(&s, slice_of(name[i]));
     if (s.best.start) ... */
#ifndef TABIA_BASE_SPELLING_H
#define TABIA_BASE_SPELLING_H

#include "base/text.h"

typedef struct spelling {
  slice word;
  slice best;        /* the nearest so far; start is NULL: nothing near enough */
  uint32_t distance; /* only a word that is nearer is of interest */
} spelling;

spelling spelling_of(slice word);

/* Returns true if `other` is nearer than all before it, and remembers it then. */
bool spelling_is_nearer(spelling *s, slice other);

/* Insertions, deletions, changes and swaps of neighbours that turn one into the other, letter
   case aside.  A word longer than 63 bytes is far from everything. */
uint32_t edit_distance(slice a, slice b);

#endif
