#include "prove/counters.h"

#include <string.h>

bitset gates_behind(const circuit *c, wire w, gate_id leaf, arena *keep) {
  const bitset in = bitset_new(keep, c->gates.count);
  bitset_add(in, wire_gate(w));
  for (gate_id g = wire_gate(w) + 1; g-- > 0;) {
    if (g == leaf || !bitset_has(in, g) || c->gates.items[g].kind != GATE_AND) continue;
    for (uint32_t i = 0; i < c->gates.items[g].input_count; i++)
      bitset_add(in, wire_gate(gate_inputs(c, g)[i]));
  }
  return in;
}

/* The neighbours of a value, by its place among the latches. */
typedef struct neighbours {
  uint32_t count;
  uint32_t all[2];
} neighbours;

static bool add_neighbour(neighbours *n, uint32_t other) {
  for (uint32_t i = 0; i < n->count; i++)
    if (n->all[i] == other) return true;
  if (n->count == 2) return false;
  n->all[n->count++] = other;
  return true;
}

/* False: a value has more than two. */
static bool find_neighbours(neighbours *of, const id_vec *latches, const circuit *c,
                            arena *scratch) {
  bool fits = true;
  for (uint32_t to = 0; to < latches->count && fits; to++) {
    const arena_mark mark = arena_save(scratch);
    const bitset in = gates_behind(c, c->latches.items[latches->items[to]].next, ID_NONE, scratch);
    for (uint32_t from = 0; from < latches->count && fits; from++)
      if (from != to && bitset_has(in, c->latches.items[latches->items[from]].gate))
        fits = add_neighbour(&of[to], from) && add_neighbour(&of[from], to);
    arena_restore(scratch, mark);
  }
  return fits;
}

static uint32_t find_end(const neighbours *of, uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    if (of[i].count == 1) return i;
  return ID_NONE;
}

/* From one end to the other. */
static uint32_t walk_path(const neighbours *of, uint32_t at, uint32_t *path) {
  uint32_t length = 0, before = ID_NONE, next = at;
  while (next != ID_NONE) {
    path[length++] = at = next;
    next = ID_NONE;
    for (uint32_t i = 0; i < of[at].count; i++)
      if (of[at].all[i] != before) next = of[at].all[i];
    before = at;
  }
  return length;
}

bool counter_sort(id_vec *latches, const circuit *c, arena *scratch) {
  const uint32_t count = latches->count;
  neighbours *of = arena_zero_array(scratch, neighbours, count + (size_t)1);
  uint32_t *path = arena_new_array(scratch, uint32_t, count + (size_t)1);
  if (!find_neighbours(of, latches, c, scratch)) return false;
  const uint32_t end = find_end(of, count);
  if (end == ID_NONE || walk_path(of, end, path) < count) return false;
  for (uint32_t i = 0; i < count; i++) path[i] = latches->items[path[i]];
  memcpy(latches->items, path, count * sizeof *path);
  return true;
}
