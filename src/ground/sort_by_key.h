/* Numbers with keys, sorted by key. */
#ifndef TABIA_GROUND_SORT_BY_KEY_H
#define TABIA_GROUND_SORT_BY_KEY_H

#include <stdint.h>

typedef struct key_and_id {
  uint64_t key;
  uint32_t id;
} key_and_id;

/* What has the same key keeps its order.  `room` has place for as many. */
void sort_by_key(key_and_id *items, uint32_t count, key_and_id *room);

#endif
