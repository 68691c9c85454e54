#include "base/sort.h"

/* The distances at which items are compared, the last one first; each is 9/4 of the one before,
   which is as good as any known. */
static uint32_t largest_gap(uint32_t count) {
  uint64_t gap = 1, next = 4;
  for (; next < count; next = next * 9 / 4) gap = next;
  return (uint32_t)gap;
}

static uint32_t smaller_gap(uint32_t gap) { return gap == 1 ? 0 : gap < 9 ? 1 : gap * 4 / 9; }

#define DEFINE_SORT(name, type) \
  void name(type *items, uint32_t count) { \
    for (uint32_t gap = largest_gap(count); gap; gap = smaller_gap(gap)) \
      for (uint32_t i = gap; i < count; i++) { \
        const type item = items[i]; \
        uint32_t to = i; \
        for (; to >= gap && items[to - gap] > item; to -= gap) items[to] = items[to - gap]; \
        items[to] = item; \
      } \
  }

DEFINE_SORT(sort_ids, uint32_t)
DEFINE_SORT(sort_keys, uint64_t)
