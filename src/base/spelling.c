#include "base/spelling.h"

#include <ctype.h>

enum { WORD_MAX = 63 };

/* No slip in a word of two letters, one in a short word, two in others: beyond that a proposal is
   more likely to mislead than to help. */
spelling spelling_of(slice word) {
  const uint32_t slips = word.length < 3 ? 0 : word.length < 6 ? 1 : 2;
  return (spelling){.word = word, .distance = slips + 1};
}

static uint32_t smaller(uint32_t a, uint32_t b) { return a < b ? a : b; }

static bool same_letter(char a, char b) {
  return tolower((unsigned char)a) == tolower((unsigned char)b);
}

static bool are_swapped(const char *a, const char *b) {
  return same_letter(a[-1], b[0]) && same_letter(a[0], b[-1]);
}

/* Optimal string alignment; rows[i][j] is the distance of the first i bytes of `a` from the
   first j bytes of `b`. */
uint32_t edit_distance(slice a, slice b) {
  if (a.length > WORD_MAX || b.length > WORD_MAX) return UINT32_MAX;
  uint32_t rows[WORD_MAX + 1][WORD_MAX + 1];
  for (uint32_t i = 0; i <= a.length; i++) rows[i][0] = i;
  for (uint32_t j = 0; j <= b.length; j++) rows[0][j] = j;
  for (uint32_t i = 1; i <= a.length; i++)
    for (uint32_t j = 1; j <= b.length; j++) {
      const char *at_a = a.start + i - 1, *at_b = b.start + j - 1;
      uint32_t least = smaller(rows[i - 1][j], rows[i][j - 1]) + 1;
      least = smaller(least, rows[i - 1][j - 1] + !same_letter(*at_a, *at_b));
      if (i > 1 && j > 1 && are_swapped(at_a, at_b)) least = smaller(least, rows[i - 2][j - 2] + 1);
      rows[i][j] = least;
    }
  return rows[a.length][b.length];
}

bool spelling_is_nearer(spelling *s, slice other) {
  if (other.length + s->distance <= s->word.length || s->word.length + s->distance <= other.length)
    return false;
  const uint32_t distance = edit_distance(s->word, other);
  if (distance >= s->distance) return false;
  s->distance = distance;
  s->best = other;
  return true;
}
