/* Networks of random circuits, changed bit by bit, against plain simulation. */
#include "circuit/simulate.h"
#include "machine/circuit/random_network_fixture.h"

static void simulate(random_network *x, const uint64_t *latches) {
  for (uint32_t i = 0; i < x->c.latches.count; i++)
    x->values[x->c.latches.items[i].gate] = -(latches[i / 64] >> i % 64 & 1);
  for (uint32_t i = 0; i < MOVES; i++)
    x->values[wire_gate(x->c.moves.items[i].does)] = -(uint64_t)(i == x->move);
  circuit_simulate(&x->c, x->values);
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
