/* Finds conjunctions by their inputs.

   A slot holds a gate in its low bits and, in the bits above, a piece of the hash of the gate's
   inputs: a gate that is not the one looked for is seldom read. 0 is an empty slot, as gate 0 is no
   conjunction.  A new index, or one that grows, inserts all conjunctions of the circuit, one after
   another. */
#ifndef TABIA_CIRCUIT_GATE_INDEX_H
#define TABIA_CIRCUIT_GATE_INDEX_H

#include "circuit/circuit.h"

typedef struct gate_index {
  uint32_t *slots;
  uint32_t mask;      /* slots - 1 */
  uint32_t gate_mask; /* the bits of a slot that are the gate */
  uint32_t count;
  uint32_t expected; /* so many will come, as far as is known when it begins */
} gate_index;

void gate_index_grow(gate_index *x, const circuit *c, arena *scratch);

/* Asks for the memory of a hash ahead of time. */
static inline void gate_index_prefetch(const gate_index *x, uint64_t hash) {
  if (x->slots) __builtin_prefetch(&x->slots[(uint32_t)hash & x->mask]);
}

/* Makes room for one more gate; at most 3/4 of the slots are taken. */
static inline void gate_index_reserve(gate_index *x, const circuit *c, arena *scratch) {
  const bool has_room = x->slots && ((uint64_t)x->count + 1) * 4 <= ((uint64_t)x->mask + 1) * 3;
  if (!has_room || c->gates.count > x->gate_mask) gate_index_grow(x, c, scratch);
}

static inline bool gate_has_inputs(const circuit *c, gate_id g, const wire *inputs,
                                   uint32_t count) {
  if (c->gates.items[g].input_count != count) return false;
  const wire *own = gate_inputs(c, g);
  for (uint32_t i = 0; i < count; i++)
    if (own[i] != inputs[i]) return false;
  return true;
}

/* The gate with these inputs, which have this hash; or 0, and *at is where it would be put. */
static inline gate_id gate_index_find(const gate_index *x, const circuit *c, const wire *inputs,
                                      uint32_t count, uint64_t hash, uint32_t *at) {
  const uint32_t tag = (uint32_t)(hash >> 32) & ~x->gate_mask;
  for (*at = (uint32_t)hash & x->mask; x->slots[*at]; *at = (*at + 1) & x->mask) {
    const uint32_t slot = x->slots[*at];
    if ((slot & ~x->gate_mask) == tag && gate_has_inputs(c, slot & x->gate_mask, inputs, count))
      return slot & x->gate_mask;
  }
  return 0;
}

static inline void gate_index_put(gate_index *x, uint32_t at, gate_id g, uint64_t hash) {
  x->slots[at] = ((uint32_t)(hash >> 32) & ~x->gate_mask) | g;
  x->count++;
}

#endif
