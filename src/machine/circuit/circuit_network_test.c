/* Networks of random circuits, changed bit by bit, against plain simulation. */
#include "base/base_fixture.h"
#include "base/rng.h"
#include "circuit/gate_maker.h"
#include "circuit/simulate.h"
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

static wire any_wire(random_network *x) {
  return x->wires.items[rng_below(&x->r, x->wires.count)] ^ rng_below(&x->r, 2);
}

static void add_gates(random_network *x, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    wire inputs[5];
    const uint32_t width = 2 + rng_below(&x->r, 4);
    for (uint32_t k = 0; k < width; k++) inputs[k] = any_wire(x);
    const wire made = make_and(&x->m, inputs, width);
    vec_push(x->c.keep, &x->wires, made);
  }
}

/* Conjunctions and disjunctions alone read the places, and every place needs all others. */
static void add_component(random_network *x) {
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

static void add_layers(random_network *x) {
  for (uint32_t i = 0, count = rng_below(&x->r, 3); i < count; i++) {
    add_gates(x, 5 + rng_below(&x->r, 30));
    add_component(x);
  }
  add_gates(x, 5 + rng_below(&x->r, 40));
}

/* What legal, goals and terminal read is made before there are moves. */
static void add_outputs(random_network *x, uint32_t latches) {
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

static void simulate(random_network *x, const uint64_t *latches) {
  for (uint32_t i = 0; i < x->c.latches.count; i++)
    x->values[x->c.latches.items[i].gate] = -(latches[i / 64] >> i % 64 & 1);
  for (uint32_t i = 0; i < MOVES; i++)
    x->values[wire_gate(x->c.moves.items[i].does)] = -(uint64_t)(i == x->move);
  circuit_simulate(&x->c, x->values);
}

static random_network *random_network_new(uint64_t seed, uint64_t *position, arena *keep) {
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

static void assert_wire(const random_network *x, wire w) {
  assert_int_equal(network_wire(&x->n, &x->s, w), wire_value(x->values, w) & 1);
}

static void assert_output(const random_network *x, uint32_t word, uint32_t bit, wire w) {
  assert_int_equal(x->s.outputs[word + bit / 64] >> bit % 64 & 1, wire_value(x->values, w) & 1);
}

static void assert_layers(const random_network *x, network_layer last) {
  const circuit *c = &x->c;
  assert_wire(x, c->terminal);
  for (uint32_t i = 0; i < MOVES; i++)
    assert_output(x, x->n.legal_word[0], i, c->moves.items[i].legal);
  for (uint32_t i = 0; last >= LAYER_NEXT && i < c->latches.count; i++)
    assert_output(x, x->n.next_word, i, c->latches.items[i].next);
  for (uint32_t i = 0; last >= LAYER_GOALS && i < c->goals.count; i++)
    assert_wire(x, c->goals.items[i].holds);
  for (uint32_t i = 0; last >= LAYER_PERCEPTS && i < c->percepts.count; i++)
    assert_wire(x, c->percepts.items[i].holds);
}

static void flip_some_latches(random_network *x, uint64_t *position) {
  for (uint32_t k = rng_below(&x->r, 4); k; k--) {
    const uint32_t latch = rng_below(&x->r, x->c.latches.count);
    position[latch / 64] ^= UINT64_C(1) << latch % 64;
    network_flip(&x->n, &x->s, x->n.node_of[x->c.latches.items[latch].gate]);
  }
}

static void change_move(random_network *x) {
  const uint32_t next = rng_below(&x->r, MOVES);
  if (next == x->move) return;
  network_flip(&x->n, &x->s, x->n.node_of[wire_gate(x->c.moves.items[x->move].does)]);
  network_flip(&x->n, &x->s, x->n.node_of[wire_gate(x->c.moves.items[next].does)]);
  x->move = next;
}

static void changes_are_carried_to_where_they_matter(void **state) {
  (void)state;
  for (uint64_t seed = 0; seed < 300; seed++) {
    arena *keep = arena_new();
    uint64_t position[LATCHES_MAX / 64 + 1] = {0};
    random_network *x = random_network_new(seed, position, keep);
    print_message("network %u\n", (unsigned)seed);
    simulate(x, position);
    assert_layers(x, LAYER_PERCEPTS);
    for (uint32_t step = 0; step < 60; step++) {
      const network_layer last = rng_below(&x->r, LAYERS);
      flip_some_latches(x, position);
      if (rng_below(&x->r, 2)) change_move(x);
      simulate(x, position);
      network_update(&x->n, &x->s, last);
      assert_layers(x, last);
    }
    arena_free(keep);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {base_test(changes_are_carried_to_where_they_matter)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
