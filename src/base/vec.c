#include "base/vec.h"

#include <string.h>

enum { FEWEST = 8, DOUBLED_BYTES = 64 * 1024 };

/* A short array doubles, as it is cheaper than to move its items often; a long one holds less
   memory that may never be used. */
static uint64_t grown_capacity(uint64_t capacity, size_t item_size) {
  if (capacity < FEWEST) return FEWEST;
  return capacity + (capacity * item_size < DOUBLED_BYTES ? capacity : capacity / 2);
}

void *vec_grown(arena *a, void *items, uint32_t count, uint32_t *capacity, uint32_t extra,
                size_t item_size) {
  const uint64_t need = (uint64_t)count + extra;
  assert(need <= UINT32_MAX);
  if (need <= *capacity) return items;
  uint64_t larger = grown_capacity(*capacity, item_size);
  if (larger < need) larger = need;
  if (larger > UINT32_MAX) larger = UINT32_MAX;
  items = arena_grow(a, items, *capacity * item_size, larger * item_size);
  *capacity = (uint32_t)larger;
  return items;
}
