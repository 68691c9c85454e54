/* States with more fluents than a position has room for: the machine keeps them.

   A position of `reference` or `datalog` is the number of its fluents, then their numbers in
   ascending order, then zeros.  For a larger state it is a mark in place of the number of fluents,
   then the number under which the state is stored here.  Equal states have one number, so positions
   are still equal when their bytes are.  No state is ever forgotten.  Threads share the store. */
#ifndef TABIA_MACHINE_LARGE_STATES_H
#define TABIA_MACHINE_LARGE_STATES_H

#include <stddef.h>
#include <stdint.h>

typedef struct large_states large_states;

#define LARGE_STATE (UINT32_MAX - 1) /* the mark */

large_states *large_states_new(void);
void large_states_free(large_states *s);

/* Writes a state to a position with room for `room` fluents, at least 1. */
void large_states_write(large_states *s, uint32_t room, const uint32_t *fluents, uint32_t count,
                        uint32_t *position);

/* How many fluents, then these: the position itself, or a list that stays where it is. */
const uint32_t *large_states_find(large_states *s, uint32_t number);

static inline const uint32_t *large_states_list(large_states *s, const uint32_t *position) {
  return position[0] == LARGE_STATE ? large_states_find(s, position[1]) : position;
}

size_t large_states_bytes(large_states *s);

#endif
