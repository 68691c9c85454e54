#include "cli/suggest.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

enum { WORD_MAX = 63 };

static uint32_t smaller(uint32_t a, uint32_t b) { return a < b ? a : b; }

static bool same_letter(char a, char b) {
  return tolower((unsigned char)a) == tolower((unsigned char)b);
}

/* Optimal string alignment; rows[i][j] is the distance of the first i bytes of `a` from the
   first j bytes of `b`. */
uint32_t edit_distance(const char *a, const char *b) {
  const size_t a_length = strlen(a), b_length = strlen(b);
  if (a_length > WORD_MAX || b_length > WORD_MAX) return UINT32_MAX;
  uint32_t rows[WORD_MAX + 1][WORD_MAX + 1];
  for (uint32_t i = 0; i <= a_length; i++) rows[i][0] = i;
  for (uint32_t j = 0; j <= b_length; j++) rows[0][j] = j;
  for (uint32_t i = 1; i <= a_length; i++)
    for (uint32_t j = 1; j <= b_length; j++) {
      const uint32_t change = same_letter(a[i - 1], b[j - 1]) ? 0 : 1;
      uint32_t least = smaller(rows[i - 1][j] + 1, rows[i][j - 1] + 1);
      least = smaller(least, rows[i - 1][j - 1] + change);
      if (i > 1 && j > 1 && same_letter(a[i - 1], b[j - 2]) && same_letter(a[i - 2], b[j - 1]))
        least = smaller(least, rows[i - 2][j - 2] + 1);
      rows[i][j] = least;
    }
  return rows[a_length][b_length];
}

/* One slip for a short word, one more for every three letters: beyond that a proposal is more
   likely to mislead than to help. */
suggestion suggest_for(const char *typed) {
  const uint32_t slips = 1 + (uint32_t)(strlen(typed) / 3);
  return (suggestion){.typed = typed, .best = NULL, .distance = slips + 1};
}

void suggest_consider(suggestion *s, const char *candidate) {
  const uint32_t distance = edit_distance(s->typed, candidate);
  if (distance >= s->distance || distance >= strlen(candidate)) return;
  s->distance = distance;
  s->best = candidate;
}
