/* Covers against the graph itself. */
#include "base/base_fixture.h"
#include "machine/lanes/random_aig_fixture.h"
#include "machine/lanes/truth_tables.h"

static uint64_t op_value(const table_op *op, const uint64_t *values) {
  uint64_t out = 0;
  for (uint32_t row = 0; row < 8; row++) {
    if (!(op->table >> row & 1)) continue;
    uint64_t all = UINT64_MAX;
    for (uint32_t i = 0; i < TABLE_INPUTS; i++) {
      const uint64_t in = values[op->in[i]];
      all &= row >> (2 - i) & 1 ? in : ~in;
    }
    out |= all;
  }
  return out;
}

static void evaluate_cover(const aig *g, const table_cover *c, uint64_t *values) {
  values[0] = 0;
  for (uint32_t i = 1; i < g->nodes.count; i++) {
    if (!c->is_chosen[i]) continue;
    for (uint32_t k = 0; k < c->ops[i].in_count; k++) {
      const uint32_t in = c->ops[i].in[k];
      assert_true(in < i && (aig_is_input(g, in) || c->is_chosen[in]));
      assert_true(!k || c->ops[i].in[k - 1] < in);
    }
    for (uint32_t k = c->ops[i].in_count; k < TABLE_INPUTS; k++)
      assert_int_equal(c->ops[i].in[k], 0);
    values[i] = op_value(&c->ops[i], values);
  }
}

static uint32_t count_chosen(const aig *g, const table_cover *c) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < g->nodes.count; i++) count += c->is_chosen[i];
  return count;
}

static void a_cover_computes_what_the_graph_does(void **state) {
  for (uint64_t seed = 0; seed < 300; seed++) {
    rng r = rng_new(61, seed);
    aig g;
    edge_list edges = {0};
    id_vec roots = {0};
    aig_init(&g, *state);
    random_edges(&g, 1 + rng_below(&r, 10), rng_below(&r, 150), &edges, &r);
    for (uint32_t i = 0; i < 5; i++)
      vec_push(*state, &roots, edge_node(edges.items[rng_below(&r, edges.count)]));
    table_cover c;
    assert_true(tables_cover(&c, &g, roots.items, roots.count, *state, NULL));
    uint64_t *x = arena_zero_array(*state, uint64_t, g.nodes.count);
    uint64_t *y = arena_zero_array(*state, uint64_t, g.nodes.count);
    for (uint32_t i = 1; i < g.nodes.count; i++)
      if (aig_is_input(&g, i)) x[i] = y[i] = rng_next(&r);
    aig_evaluate(&g, x);
    evaluate_cover(&g, &c, y);
    for (uint32_t i = 0; i < roots.count; i++) assert_true(x[roots.items[i]] == y[roots.items[i]]);
  }
}

static void a_function_of_three_is_one_operation(void **state) {
  aig g;
  aig_init(&g, *state);
  const edge a = aig_input(&g), b = aig_input(&g), c = aig_input(&g);
  const edge functions[] = {aig_xor(&g, aig_xor(&g, a, b), c), aig_majority(&g, a, b, c),
                            aig_if(&g, a, b, c)};
  for (uint32_t i = 0; i < 3; i++) {
    const uint32_t root = edge_node(functions[i]);
    table_cover cover;
    assert_true(tables_cover(&cover, &g, &root, 1, *state, NULL));
    assert_int_equal(count_chosen(&g, &cover), 1);
    assert_int_equal(cover.ops[root].in_count, 3);
  }
}

static void bits_of_a_table_are_in_the_order_that_is_told(void **state) {
  aig g;
  aig_init(&g, *state);
  const edge a = aig_input(&g), b = aig_input(&g), c = aig_input(&g);
  const edge e = aig_and(&g, aig_and(&g, a, edge_not(b)), c);
  const uint32_t root = edge_node(e);
  table_cover cover;
  assert_true(tables_cover(&cover, &g, &root, 1, *state, NULL));
  assert_int_equal(cover.ops[root].table, 1 << 5); /* a, not b, c: 4 + 1 */
}

static void only_what_is_needed_is_chosen(void **state) {
  aig g;
  aig_init(&g, *state);
  const edge a = aig_input(&g), b = aig_input(&g), c = aig_input(&g), d = aig_input(&g);
  const edge wanted = aig_and(&g, a, b);
  aig_and(&g, aig_and(&g, wanted, c), d);
  const uint32_t root = edge_node(wanted);
  table_cover cover;
  assert_true(tables_cover(&cover, &g, &root, 1, *state, NULL));
  assert_int_equal(count_chosen(&g, &cover), 1);
}

static void inputs_and_constants_may_be_roots(void **state) {
  aig g;
  aig_init(&g, *state);
  const edge a = aig_input(&g);
  const uint32_t roots[2] = {0, edge_node(a)};
  table_cover cover;
  assert_true(tables_cover(&cover, &g, roots, 2, *state, NULL));
  assert_int_equal(count_chosen(&g, &cover), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      base_test(a_cover_computes_what_the_graph_does),
      base_test(a_function_of_three_is_one_operation),
      base_test(bits_of_a_table_are_in_the_order_that_is_told),
      base_test(only_what_is_needed_is_chosen),
      base_test(inputs_and_constants_may_be_roots),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
