/* The distinct states of one depth, each with the number of lines that lead to it. */
#ifndef TABIA_SEARCH_PERFT_LEVEL_H
#define TABIA_SEARCH_PERFT_LEVEL_H

#include "machine/machine.h"

typedef struct level_state {
  const unsigned char *bytes; /* its position without the zeros at the end */
  size_t length;
  uint64_t hash;
  uint64_t ways;
} level_state;

typedef struct level {
  arena *keep;
  VEC(level_state) states; /* in the order in which they came */
  id_table index;
} level;

level level_new(void);
void level_free(level *l);

/* The place of the state; its ways are added to those known, or it is new. */
uint32_t level_add(level *l, const void *position, size_t size, uint64_t ways);
uint32_t level_add_state(level *l, const level_state *s);

void level_get(const level *l, uint32_t i, void *position, size_t size);
uint64_t level_ways(const level *l);

#endif
