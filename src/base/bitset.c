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

/* Warren, 'Hacker's Delight', 7-3. */
void bits_transpose(uint64_t m[64]) {
  uint64_t mask = UINT64_C(0x00000000ffffffff);
  for (uint32_t width = 32; width; width /= 2, mask ^= mask << width)
    for (uint32_t i = 0; i < 64; i = (i + width + 1) & ~width) {
      const uint64_t swapped = (m[i] >> width ^ m[i + width]) & mask;
      m[i] ^= swapped << width;
      m[i + width] ^= swapped;
    }
}
