#include "circuit/gate_index.h"

enum { FIRST_SLOTS = 64 };

static void put_all(gate_index *x, const circuit *c) {
  for (gate_id g = 0; g < c->gates.count; g++) {
    const gate it = c->gates.items[g];
    if (it.kind != GATE_AND) continue;
    const uint64_t hash = hash_ids(gate_inputs(c, g), it.input_count);
    uint32_t at = (uint32_t)hash & x->mask;
    while (x->slots[at]) at = (at + 1) & x->mask;
    gate_index_put(x, at, g, hash);
  }
}

void gate_index_grow(gate_index *x, const circuit *c, arena *scratch) {
  uint64_t room = x->slots ? (uint64_t)x->count * 2 : x->expected;
  if (room < c->gates.count) room = c->gates.count;
  uint64_t slots = FIRST_SLOTS;
  while (slots * 3 < (room + 1) * 4) slots *= 2;
  uint32_t gate_mask = (uint32_t)slots - 1;
  while (gate_mask < UINT32_MAX && gate_mask / 2 < c->gates.count) gate_mask = gate_mask * 2 + 1;
  if (x->slots) arena_release(scratch, x->slots, ((size_t)x->mask + 1) * sizeof *x->slots);
  *x = (gate_index){.slots = arena_zero_array(scratch, uint32_t, slots),
                    .mask = (uint32_t)slots - 1,
                    .gate_mask = gate_mask};
  put_all(x, c);
}
