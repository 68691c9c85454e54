#include "base/graph.h"

#include "base/base_fixture.h"
#include "base/rng.h"

static void edges_keep_their_order_within_a_node(void **state) {
  const uint32_t tails[] = {2, 0, 2, 2};
  const uint32_t heads[] = {1, 2, 0, 1};
  const graph g = graph_new(*state, 3, tails, heads, 4);
  assert_int_equal(g.from[1] - g.from[0], 1);
  assert_int_equal(g.from[2] - g.from[1], 0);
  assert_int_equal(g.from[3] - g.from[2], 3);
  const uint32_t of_two[] = {1, 0, 1};
  assert_memory_equal(g.to + g.from[2], of_two, sizeof of_two);
}

static void a_cycle_is_one_part(void **state) {
  const uint32_t tails[] = {0, 1, 2, 2};
  const uint32_t heads[] = {1, 2, 0, 3};
  const graph g = graph_new(*state, 4, tails, heads, 4);
  uint32_t component[4];
  assert_int_equal(graph_components(&g, component, *state), 2);
  assert_int_equal(component[0], component[1]);
  assert_int_equal(component[1], component[2]);
  assert_true(component[3] < component[0]);
}

static void a_graph_without_nodes_has_no_parts(void **state) {
  const graph g = graph_new(*state, 0, NULL, NULL, 0);
  uint32_t none[1];
  assert_int_equal(graph_components(&g, none, *state), 0);
}

static void a_very_long_path_needs_no_deep_stack(void **state) {
  enum { LENGTH = 1000000 };
  uint32_t *tails = arena_new_array(*state, uint32_t, LENGTH);
  uint32_t *heads = arena_new_array(*state, uint32_t, LENGTH);
  for (uint32_t i = 0; i < LENGTH; i++) {
    tails[i] = i;
    heads[i] = i + 1;
  }
  const graph g = graph_new(*state, LENGTH + 1, tails, heads, LENGTH);
  uint32_t *component = arena_new_array(*state, uint32_t, LENGTH + 1);
  assert_int_equal(graph_components(&g, component, *state), LENGTH + 1);
  assert_int_equal(component[LENGTH], 0);
  assert_int_equal(component[0], LENGTH);
}

/* ---- random graphs against the plain definition ---- */

enum { NODES = 12 };

typedef bool reach[NODES][NODES];

static void close_reach(reach r) {
  for (int k = 0; k < NODES; k++)
    for (int i = 0; i < NODES; i++)
      for (int j = 0; j < NODES; j++) r[i][j] |= r[i][k] && r[k][j];
}

static void check_random_graph(arena *keep, rng *random) {
  const uint32_t edges = rng_below(random, 30);
  uint32_t tails[30], heads[30], component[NODES];
  reach r = {0};
  for (uint32_t i = 0; i < edges; i++) {
    tails[i] = rng_below(random, NODES);
    heads[i] = rng_below(random, NODES);
    r[tails[i]][heads[i]] = true;
  }
  const graph g = graph_new(keep, NODES, tails, heads, edges);
  const uint32_t count = graph_components(&g, component, keep);
  close_reach(r);
  for (int i = 0; i < NODES; i++)
    for (int j = 0; j < NODES; j++) {
      assert_int_equal(component[i] == component[j], i == j || (r[i][j] && r[j][i]));
      if (r[i][j]) assert_true(component[j] <= component[i]);
    }
  const uint32_t *order = graph_order(&g, component, count, keep);
  for (int i = 1; i < NODES; i++) {
    assert_true(component[order[i - 1]] <= component[order[i]]);
    if (component[order[i - 1]] == component[order[i]]) assert_true(order[i - 1] < order[i]);
  }
}

static void random_graphs_have_the_parts_of_the_definition(void **state) {
  rng random = rng_new(1, 0);
  for (int i = 0; i < 500; i++) check_random_graph(*state, &random);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      base_test(edges_keep_their_order_within_a_node),
      base_test(a_cycle_is_one_part),
      base_test(a_graph_without_nodes_has_no_parts),
      base_test(a_very_long_path_needs_no_deep_stack),
      base_test(random_graphs_have_the_parts_of_the_definition),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
