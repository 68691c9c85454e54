/* A network with one thing broken is noticed, and is sound again once that is mended. */
#include "machine/circuit/circuit_network_sound.h"

#include "machine/circuit/random_network_fixture.h"

enum { NETWORKS = 100 };

static network built(uint64_t seed, arena *keep) {
  uint64_t position[LATCHES_MAX / 64 + 1] = {0};
  return random_network_new(seed, position, keep)->n;
}

static void built_networks_are_sound(void **state) {
  for (uint64_t seed = 0; seed < NETWORKS; seed++) {
    const network n = built(seed, *state);
    assert_true(network_is_sound(&n));
  }
}

static void assert_noticed(const network *n, uint32_t *number, uint32_t wrong) {
  const uint32_t right = *number;
  assert_int_not_equal(right, wrong);
  *number = wrong;
  assert_false(network_is_sound(n));
  *number = right;
  assert_true(network_is_sound(n));
}

/* The last node that is a conjunction outside of components. */
static network_node plain_conjunction(const network *n) {
  for (network_node node = n->node_count; node-- > 0;)
    if (n->c->gates.items[n->gate_of[node]].kind == GATE_AND && n->component_of[node] == ID_NONE)
      return node;
  fail();
  return ID_NONE;
}

static void nodes_that_are_not_those_of_their_gates(void **state) {
  network n = built(1, *state);
  const network_node node = plain_conjunction(&n);
  assert_noticed(&n, &n.node_of[n.gate_of[node]], ID_NONE);
  assert_noticed(&n, &n.node_of[n.gate_of[node]], n.node_count);
  assert_noticed(&n, &n.gate_of[node], n.gate_of[node - 1]);
  assert_noticed(&n, &n.node_of[0], 0);
}

static void layers_out_of_order(void **state) {
  network n = built(1, *state);
  assert_true(n.layer_end[LAYER_LEGAL] < n.layer_end[LAYER_NEXT]);
  assert_noticed(&n, &n.layer_end[LAYER_PERCEPTS], n.node_count - 1);
  assert_noticed(&n, &n.layer_end[LAYER_LEGAL], n.node_count + 1);
  assert_noticed(&n, &n.layer_end[LAYER_NEXT], n.layer_end[LAYER_LEGAL] - 1);
}

/* One with a component of several nodes. */
static network built_with_component(arena *keep) {
  for (uint64_t seed = 0;; seed++) {
    const network n = built(seed, keep);
    if (n.components.count && n.components.items[0].end > n.components.items[0].first + 1) return n;
  }
}

static void components_that_are_not_those_of_their_nodes(void **state) {
  network n = built_with_component(*state);
  network_component *first = &n.components.items[0];
  assert_noticed(&n, &first->end, first->first);
  assert_noticed(&n, &first->end, first->end - 1);
  assert_noticed(&n, &first->end, n.node_count + 1);
  assert_noticed(&n, &first->first_place, n.c->places.count);
  assert_noticed(&n, &n.component_of[first->first], ID_NONE);
  assert_noticed(&n, &n.component_of[plain_conjunction(&n)], 0);
}

static void readers_that_there_are_not(void **state) {
  network n = built(1, *state);
  const uint32_t targets = n.node_count + n.components.count + n.word_count * 64;
  network_node node = 0;
  while (n.readers_of[node] == n.readers_of[node + 1]) node++;
  assert_noticed(&n, &n.readers[n.readers_of[node]], targets << 1);
  assert_noticed(&n, &n.readers[n.readers_of[node]], node << 1);
  assert_noticed(&n, &n.readers_of[n.node_count], n.readers_of[n.node_count] - 1);
  assert_noticed(&n, &n.readers_of[node + 1], n.readers_of[n.node_count] + 1);
  assert_noticed(&n, &n.readers_of[0], 1);
}

static void outputs_at_another_place(void **state) {
  network n = built(1, *state);
  assert_noticed(&n, &n.next_word, 1);
  assert_noticed(&n, &n.legal_word[0], n.legal_word[0] + 1);
  assert_noticed(&n, &n.word_count, n.word_count + 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      base_test(built_networks_are_sound),
      base_test(nodes_that_are_not_those_of_their_gates),
      base_test(layers_out_of_order),
      base_test(components_that_are_not_those_of_their_nodes),
      base_test(readers_that_there_are_not),
      base_test(outputs_at_another_place),
  };
  return cmocka_run_group_tests_name("machine/circuit_network_sound", tests, NULL, NULL);
}
