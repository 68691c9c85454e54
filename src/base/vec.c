#include "base/vec.h"

#include <string.h>

void *vec_grown(arena *a, void *items, uint32_t count, uint32_t *capacity, uint32_t extra,
                size_t item_size) {
  const uint64_t need = (uint64_t)count + extra;
  assert(need <= UINT32_MAX);
  if (need <= *capacity) return items;
  uint64_t larger = *capacity < 8 ? 8 : (uint64_t)*capacity + *capacity / 2;
  if (larger < need) larger = need;
  if (larger > UINT32_MAX) larger = UINT32_MAX;
  items = arena_grow(a, items, *capacity * item_size, larger * item_size);
  *capacity = (uint32_t)larger;
  return items;
}
