/* Symmetries that keep roles, as a group that acts on states: a bit for each latch of a circuit.

   States with a common image are symmetric (symmetries.h), so one of them represents all: the
   smallest image, compared word by word.  All elements of the group are tried, so its order is
   bounded: if there are too many symmetries, a subgroup is used. */
#ifndef TABIA_SYMMETRY_STATE_GROUP_H
#define TABIA_SYMMETRY_STATE_GROUP_H

#include "circuit/circuit.h"
#include "symmetry/symmetries.h"

enum { STATE_GROUP_MAX = 1024 };

typedef struct state_group {
  uint32_t order;       /* elements; 1: there is no symmetry */
  bool is_whole;        /* no symmetry was left out */
  uint32_t state_bytes; /* bits behind those of latches are 0 */
  uint32_t words;       /* of a state, the last one filled up with zeros */
  /* What each half byte of a state adds to its image, by exclusive or: by element but the first,
     which changes nothing, by half byte, by its value, `words` words. */
  uint64_t *parts;
  uint64_t *constants; /* by element but the first: what is added in any case */
} state_group;

/* Symmetries of the rules that keep roles, within a part of the budget; `order` is 1 where there
   are none. */
void state_group_find(state_group *g, const ground_program *rules, const circuit *c,
                      uint32_t state_bytes, arena *keep, budget *b);

/* Replaces each of the states, which are stored contiguously, by its smallest image. */
void state_group_reduce(const state_group *g, uint8_t *states, uint32_t count);

/* How many images a state has, itself among them. */
uint32_t state_group_images(const state_group *g, const uint8_t *state);

#endif
