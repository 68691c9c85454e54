#include "base/bitset.h"

#include <string.h>

bitset bitset_new(arena *a, uint32_t size) {
  bitset s = {.size = size};
  s.words = arena_new_array(a, uint64_t, bitset_words(s));
  if (bitset_words(s) == 1) /* most are small */
    *s.words = 0;
  else
    bitset_clear(s);
  return s;
}

void bitset_clear(bitset s) { memset(s.words, 0, bitset_words(s) * sizeof *s.words); }

uint32_t bitset_count(bitset s) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < bitset_words(s); i++)
    count += (uint32_t)__builtin_popcountll(s.words[i]);
  return count;
}

bool bitset_is_empty(bitset s) {
  for (uint32_t i = 0; i < bitset_words(s); i++)
    if (s.words[i]) return false;
  return true;
}
