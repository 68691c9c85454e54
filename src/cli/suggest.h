/* 'Did you mean ...?': the candidate nearest to a mistyped word. */
#ifndef TABIA_CLI_SUGGEST_H
#define TABIA_CLI_SUGGEST_H

#include <stdint.h>

typedef struct suggestion {
  const char *typed;
  const char *best;  /* NULL: nothing near enough */
  uint32_t distance; /* a candidate must be nearer than this */
} suggestion;

suggestion suggest_for(const char *typed);
void suggest_consider(suggestion *s, const char *candidate);

/* Insertions, deletions, changes and swaps of neighbours that turn one into the other, letter
   case aside.  A word longer than 63 bytes is far from everything. */
uint32_t edit_distance(const char *a, const char *b);

#endif
