/* Sorting plain numbers, without a call for each comparison.

   Shell's method: short lists and lists that are nearly in order, which are most of those here,
   take one pass. */
#ifndef TABIA_BASE_SORT_H
#define TABIA_BASE_SORT_H

#include <stdint.h>

void sort_ids(uint32_t *ids, uint32_t count);   /* ascending */
void sort_keys(uint64_t *keys, uint32_t count); /* ascending */

#endif
