#include "rules/spelling.h"

#include "base/vec.h"

enum { LENGTH_MAX = 40 };

spelling spelling_of(slice word) {
  const uint32_t most = word.length < 3 ? 0 : word.length < 6 ? 1 : 2;
  return (spelling){word, word.length > LENGTH_MAX ? 0 : most + 1};
}

static uint32_t least(uint32_t a, uint32_t b) { return a < b ? a : b; }

/* Letters to insert, delete or change: one row of the usual table at a time. */
static uint32_t edit_count(slice a, slice b) {
  uint32_t row[LENGTH_MAX + 1];
  for (uint32_t j = 0; j <= b.length; j++) row[j] = j;
  for (uint32_t i = 1; i <= a.length; i++) {
    uint32_t diagonal = row[0];
    row[0] = i;
    for (uint32_t j = 1; j <= b.length; j++) {
      const uint32_t change = diagonal + (a.start[i - 1] != b.start[j - 1]);
      diagonal = row[j];
      row[j] = least(change, least(row[j], row[j - 1]) + 1);
    }
  }
  return row[b.length];
}

bool spelling_is_nearer(spelling *s, slice other) {
  if (other.length > LENGTH_MAX || other.length + s->distance <= s->word.length ||
      s->word.length + s->distance <= other.length)
    return false;
  const uint32_t distance = edit_count(s->word, other);
  if (distance >= s->distance) return false;
  s->distance = distance;
  return true;
}
