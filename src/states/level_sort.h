/* The states of a shard from several places, in the order of their hashes, each once. */
#ifndef TABIA_STATES_LEVEL_SORT_H
#define TABIA_STATES_LEVEL_SORT_H

#include "states/level_run.h"

typedef struct sorted_slice {
  uint8_t *states;
  uint64_t *hashes; /* ascending */
  uint32_t count;
} sorted_slice;

/* Bytes that lie one behind another, so many states. */
typedef struct state_block {
  const uint8_t *states;
  uint32_t count;
} state_block;

/* All hashes lie in the span.  The result lies in `keep`. */
sorted_slice level_sort(const state_block *blocks, uint32_t block_count, uint32_t state_bytes,
                        hash_span span, arena *keep, arena *scratch);

/* Drops what the run has, too, by merging.  Returns whether there was any. */
bool level_subtract(sorted_slice *s, const level_run *r, hash_span span);

#endif
