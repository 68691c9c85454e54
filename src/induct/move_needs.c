#include "induct/move_needs.h"

_Static_assert(2 * WATCHED_MAX <= 64, "a latch and its negation have a bit each");

static latch_needs bit_of(uint32_t watched, bool is_negated) {
  return (latch_needs)1 << (2 * watched + is_negated);
}

void watch_latch(watched_latches *w, gate_id latch) {
  for (uint32_t i = 0; i < w->count; i++)
    if (w->gates[i] == latch) return;
  if (w->count < WATCHED_MAX) w->gates[w->count++] = latch;
}

/* Puts the latch in its place among those that more gates read. */
static void insert_by_readers(watched_latches *w, const uint32_t *readers, gate_id latch) {
  if (w->count == WATCHED_MAX && readers[w->gates[WATCHED_MAX - 1]] >= readers[latch]) return;
  uint32_t at = w->count == WATCHED_MAX ? WATCHED_MAX - 1 : w->count++;
  for (; at > 0 && readers[w->gates[at - 1]] < readers[latch]; at--)
    w->gates[at] = w->gates[at - 1];
  w->gates[at] = latch;
}

watched_latches latches_read_most(const circuit *c) {
  arena *scratch = arena_new();
  watched_latches most = {0};
  uint32_t *readers = arena_zero_array(scratch, uint32_t, c->gates.count + 1);
  for (uint32_t i = 0; i < c->inputs.count; i++) readers[wire_gate(c->inputs.items[i])]++;
  for (gate_id g = 0; g < c->gates.count; g++)
    if (c->gates.items[g].kind == GATE_LATCH) insert_by_readers(&most, readers, g);
  arena_free(scratch);
  return most;
}

/* The implications of a gate, and of its negation. */
typedef struct consequences {
  latch_needs of[2];
} consequences;

static latch_needs follows_from(const consequences *by_gate, wire w) {
  return by_gate[wire_gate(w)].of[wire_is_negated(w)];
}

/* From a conjunction follows what follows from any of its inputs; from its negation, what follows
   from the negation of each. */
static consequences consequences_of(const circuit *c, gate_id g, const consequences *by_gate) {
  const wire *inputs = gate_inputs(c, g);
  consequences found = {{0, ~(latch_needs)0}};
  for (uint32_t i = 0; i < c->gates.items[g].input_count; i++) {
    found.of[false] |= follows_from(by_gate, inputs[i]);
    found.of[true] &= follows_from(by_gate, wire_not(inputs[i]));
  }
  return found;
}

static consequences *find_consequences(const circuit *c, const watched_latches *w, arena *scratch) {
  consequences *by_gate = arena_zero_array(scratch, consequences, c->gates.count + 1);
  for (uint32_t i = 0; i < w->count; i++)
    by_gate[w->gates[i]] = (consequences){{bit_of(i, false), bit_of(i, true)}};
  for (gate_id g = 0; g < c->gates.count; g++) {
    if (c->gates.items[g].kind == GATE_AND) by_gate[g] = consequences_of(c, g, by_gate);
    if (c->gates.items[g].kind == GATE_CONSTANT) by_gate[g].of[false] = ~(latch_needs)0;
  }
  return by_gate;
}

const latch_needs *move_needs_find(const circuit *c, const watched_latches *w, arena *keep) {
  arena *scratch = arena_new();
  const consequences *by_gate = find_consequences(c, w, scratch);
  latch_needs *needs = arena_new_array(keep, latch_needs, c->moves.count + 1);
  for (uint32_t m = 0; m < c->moves.count; m++)
    needs[m] = follows_from(by_gate, c->moves.items[m].legal);
  arena_free(scratch);
  return needs;
}

uint32_t needed_wires(const watched_latches *w, latch_needs needs, wire *wires) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < w->count; i++) {
    if (needs & bit_of(i, false)) wires[count++] = wire_of(w->gates[i], false);
    if (needs & bit_of(i, true)) wires[count++] = wire_of(w->gates[i], true);
  }
  return count;
}
