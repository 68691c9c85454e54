/* Networks of random circuits, with components and every kind of gate. */
#ifndef TABIA_MACHINE_CIRCUIT_RANDOM_NETWORK_FIXTURE_H
#define TABIA_MACHINE_CIRCUIT_RANDOM_NETWORK_FIXTURE_H

#include "base/base_fixture.h"
#include "base/rng.h"
#include "circuit/gate_maker.h"
#include "machine/circuit/circuit_network.h"

enum { MOVES = 5, LATCHES_MAX = 80 };

typedef struct random_network {
  circuit c;
  gate_maker m;
  wire_vec wires; /* that outputs are chosen from */
  rng r;
  network n;
  network_state s;
  uint64_t *values; /* by gate: 0 or all ones */
  uint32_t move;    /* that is done */
} random_network;

static inline wire any_wire(random_network *x) {
  return x->wires.items[rng_below(&x->r, x->wires.count)] ^ rng_below(&x->r, 2);
}

static inline void add_gates(random_network *x, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    wire inputs[5];
    const uint32_t width = 2 + rng_below(&x->r, 4);
    for (uint32_t k = 0; k < width; k++) inputs[k] = any_wire(x);
    const wire made = make_and(&x->m, inputs, width);
    vec_push(x->c.keep, &x->wires, made);
  }
}

/* Conjunctions and disjunctions alone read the places, and every place needs all others. */
static inline void add_component(random_network *x) {
  circuit *c = &x->c;
  wire growing[8], rest[4];
  const uint32_t places = 1 + rng_below(&x->r, 4);
  circuit_component component = {c->places.count, places, c->gates.count, 0};
  wire all = WIRE_TRUE;
  wire_vec own = {0}; /* gates among those of the component that do not need it */
  for (uint32_t i = 0; i < places; i++) {
    growing[i] = make_input(&x->m, GATE_LOOP, c->places.count);
    const circuit_place place = {.gate = wire_gate(growing[i])};
    vec_push(c->keep, &c->places, place);
    all = make_and_of_two(&x->m, all, growing[i]);
  }
  for (uint32_t i = 0; i < places; i++) {
    const wire pair[2] = {growing[i], any_wire(x)};
    rest[0] = make_and_of_two(&x->m, growing[(i + 1) % places], any_wire(x));
    rest[1] = make_and_of_two(&x->m, make_or(&x->m, pair, 2), any_wire(x));
    rest[2] = all;
    rest[3] = make_and_of_two(&x->m, any_wire(x), any_wire(x));
    c->places.items[component.first_place + i].definition = make_or(&x->m, rest, 4);
    vec_push(c->keep, &own, rest[3]);
  }
  component.end = c->gates.count;
  vec_push(c->keep, &c->components, component);
  for (uint32_t i = 0; i < places; i++) vec_push(c->keep, &x->wires, growing[i]);
  vec_append(c->keep, &x->wires, own.items, own.count);
}

static inline void add_layers(random_network *x) {
  for (uint32_t i = 0, count = rng_below(&x->r, 3); i < count; i++) {
    add_gates(x, 5 + rng_below(&x->r, 30));
    add_component(x);
  }
  add_gates(x, 5 + rng_below(&x->r, 40));
}

/* What legal, goals and terminal read is made before there are moves. */
static inline void add_outputs(random_network *x, uint32_t latches) {
  circuit *c = &x->c;
  const circuit_role role = {.first_move = 0, .move_count = MOVES};
  vec_push(c->keep, &c->roles, role);
  add_layers(x);
  c->terminal = any_wire(x);
  for (uint32_t i = 0; i < MOVES; i++) {
    const circuit_move move = {.legal = any_wire(x)};
    vec_push(c->keep, &c->moves, move);
  }
  for (uint32_t i = 0; i < 4; i++) {
    const circuit_outcome goal = {.holds = any_wire(x)};
    vec_push(c->keep, &c->goals, goal);
  }
  for (uint32_t i = 0; i < MOVES; i++) {
    c->moves.items[i].does = make_input(&x->m, GATE_MOVE, i);
    vec_push(c->keep, &x->wires, c->moves.items[i].does);
  }
  add_layers(x);
  for (uint32_t i = 0; i < latches; i++) c->latches.items[i].next = any_wire(x);
  for (uint32_t i = 0; i < 4; i++) {
    const circuit_outcome percept = {.holds = any_wire(x)};
    vec_push(c->keep, &c->percepts, percept);
  }
}

static inline random_network *random_network_new(uint64_t seed, uint64_t *position, arena *keep) {
  random_network *x = arena_alloc_zero(keep, sizeof *x);
  x->r = rng_new(101, seed);
  gate_maker_init(&x->m, &x->c, keep, keep);
  const uint32_t latches = 1 + rng_below(&x->r, LATCHES_MAX);
  for (uint32_t i = 0; i < latches; i++) {
    const wire w = make_input(&x->m, GATE_LATCH, i);
    const circuit_latch latch = {.gate = wire_gate(w)};
    vec_push(keep, &x->c.latches, latch);
    vec_push(keep, &x->wires, w);
    position[i / 64] |= (uint64_t)rng_below(&x->r, 2) << i % 64;
  }
  add_outputs(x, latches);
  const wire guard = any_wire(x);
  network_build(&x->n, &x->c, &guard, keep);
  x->values = arena_zero_array(keep, uint64_t, x->c.gates.count);
  network_state_init(&x->s, &x->n, position, &x->move, keep);
  return x;
}

#endif
