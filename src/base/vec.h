/* Growable arrays in an arena.

     typedef VEC(uint32_t) id_vec;
     id_vec ids = {0};
     vec_push(keep, &ids, 7);

   The items may move at every push: keep indexes, not pointers. */
#ifndef TABIA_BASE_VEC_H
#define TABIA_BASE_VEC_H

#include "base/arena.h"

#include <assert.h>
#include <string.h>

#define VEC(type) \
  struct { \
    type *items; \
    uint32_t count; \
    uint32_t capacity; \
  }

/* Makes room for `extra` more items. */
#define vec_reserve(a, v, extra) \
  ((v)->items = vec_has_room((v)->count, (v)->capacity, (uint32_t)(extra)) \
                    ? (v)->items \
                    : vec_grown((a), (v)->items, (v)->count, &(v)->capacity, (uint32_t)(extra), \
                                sizeof *(v)->items))

#define vec_push(a, v, item) \
  do { \
    if ((v)->count == (v)->capacity) vec_reserve((a), (v), 1); \
    (v)->items[(v)->count++] = (item); \
  } while (0)

/* Appends `extra` items from `source` (which must not be in `v` itself). */
#define vec_append(a, v, source, extra) \
  (vec_reserve((a), (v), (extra)), (v)->count = vec_filled((v)->items, (v)->count, (source), \
                                                           (uint32_t)(extra), sizeof *(v)->items))

/* The items from `at` on.  A list that never had any has nothing to point into, and to add even
   zero to its null pointer is undefined. */
#define vec_from(v, at) ((v)->items ? (v)->items + (at) : (v)->items)

#define vec_pop(v) ((v)->items[--(v)->count])
#define vec_last(v) ((v)->items[(v)->count - 1])

typedef VEC(uint32_t) id_vec;

static inline bool vec_has_room(uint32_t count, uint32_t capacity, uint32_t extra) {
  return extra <= capacity - count;
}

void *vec_grown(arena *a, void *items, uint32_t count, uint32_t *capacity, uint32_t extra,
                size_t item_size);

/* Copies `extra` items behind the first `count`; returns the new count. */
static inline uint32_t vec_filled(void *items, uint32_t count, const void *source, uint32_t extra,
                                  size_t item_size) {
  if (extra) memcpy((char *)items + count * item_size, source, extra * item_size);
  return count + extra;
}

#endif
