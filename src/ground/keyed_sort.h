/* Numbers with keys, sorted by key. */
#ifndef TABIA_GROUND_KEYED_SORT_H
#define TABIA_GROUND_KEYED_SORT_H

#include <stdint.h>

typedef struct keyed {
  uint64_t key;
  uint32_t id;
} keyed;

/* What has the same key keeps its order.  `room` has place for as many. */
void keyed_sort(keyed *items, uint32_t count, keyed *room);

#endif
