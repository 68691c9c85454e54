/* Sorts numbers without a call for each comparison.

   Shellsort: lists that are short or nearly sorted, as most are here, take one pass. */
#ifndef TABIA_BASE_SORT_H
#define TABIA_BASE_SORT_H

#include <stdint.h>

void sort_ids(uint32_t *ids, uint32_t count);   /* ascending */
void sort_keys(uint64_t *keys, uint32_t count); /* ascending */

#endif
