#include "induct/local_wires.h"

#include "base/bitset.h"

enum { NEAR_GATES_MAX = 3000, CONDITIONS_MAX = 1000 };

typedef struct cone {
  const circuit *c;
  arena *scratch;
  bitset gates;
  id_vec queue;
  uint32_t size;
} cone;

static void cone_begin(cone *k, const circuit *c, arena *scratch) {
  *k = (cone){.c = c, .scratch = scratch, .gates = bitset_new(scratch, c->gates.count)};
}

static void cone_add(cone *k, wire w) {
  if (!bitset_insert(k->gates, wire_gate(w))) return;
  vec_push(k->scratch, &k->queue, wire_gate(w));
  k->size++;
}

static bool cone_is_small(cone *k) {
  const circuit *c = k->c;
  while (k->queue.count && k->size <= NEAR_GATES_MAX) {
    const gate_id g = vec_pop(&k->queue);
    const gate it = c->gates.items[g];
    if (it.kind == GATE_LOOP) cone_add(k, c->places.items[it.number].definition);
    if (it.kind == GATE_MOVE) cone_add(k, c->moves.items[it.number].legal);
    for (uint32_t i = 0; it.kind == GATE_AND && i < it.input_count; i++)
      cone_add(k, gate_inputs(c, g)[i]);
  }
  return k->size <= NEAR_GATES_MAX;
}

bool wires_are_near(const circuit *c, const wire *wires, uint32_t count) {
  arena *scratch = arena_new();
  cone k;
  cone_begin(&k, c, scratch);
  for (uint32_t i = 0; i < count; i++) cone_add(&k, wires[i]);
  const bool is_small = cone_is_small(&k);
  arena_free(scratch);
  return is_small;
}

bool facts_are_near(const fact_set *s, const circuit *c) {
  arena *scratch = arena_new();
  cone k;
  cone_begin(&k, c, scratch);
  for (uint32_t i = 0; i < s->all.count; i++)
    for (uint32_t m = 0; m < s->all.items[i].count; m++) {
      const wire now = fact_wire(s, c, &s->all.items[i], m);
      if (!wire_is_constant(now))
        cone_add(&k, c->latches.items[c->gates.items[wire_gate(now)].number].next);
    }
  const bool is_small = cone_is_small(&k);
  arena_free(scratch);
  return is_small;
}

/* The state is terminal when one of several conditions holds: none of those that are near does. */
void require_open_if_near(unrolling *u, const circuit *c, uint32_t time) {
  arena *scratch = arena_new();
  VEC(wire) all = {0}; /* that hold where the game goes on */
  vec_push(scratch, &all, wire_not(c->terminal));
  for (uint32_t i = 0; i < all.count; i++) {
    const wire w = all.items[i];
    const gate it = c->gates.items[wire_gate(w)];
    if (wires_are_near(c, &w, 1))
      sat_add_1(unroll_solver(u), unroll_wire(u, w, time));
    else if (it.kind == GATE_AND && !wire_is_negated(w) && all.count < CONDITIONS_MAX)
      vec_append(scratch, &all, gate_inputs(c, wire_gate(w)), it.input_count);
  }
  arena_free(scratch);
}
