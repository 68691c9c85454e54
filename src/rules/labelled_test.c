#include "rules/labelled.h"
#include "rules/rules_fixture.h"

static labelled_graph graph_of(rules_fixture *f, uint32_t nodes, const uint32_t edges[][2],
                               uint32_t count) {
  labelled_graph g = labelled_new(nodes, f->keep);
  for (uint32_t i = 0; i < count; i++) labelled_add(&g, edges[i][0], edges[i][1], 100 + i);
  labelled_finish(&g);
  return g;
}

static void edges_are_found_by_their_node(void **state) {
  const uint32_t edges[][2] = {{2, 0}, {0, 1}, {2, 1}, {0, 2}};
  const labelled_graph g = graph_of(*state, 3, edges, 4);
  assert_int_equal(g.edges_of[0], 0);
  assert_int_equal(g.edges_of[1], 2);
  assert_int_equal(g.edges_of[2], 2);
  assert_int_equal(g.edges_of[3], 4);
  assert_int_equal(g.edges.items[0].label, 101);
  assert_int_equal(g.edges.items[2].label, 100);
}

static void cycles_are_one_part(void **state) {
  rules_fixture *f = *state;
  const uint32_t edges[][2] = {{0, 1}, {1, 2}, {2, 1}, {2, 3}};
  const labelled_graph g = graph_of(f, 4, edges, 4);
  const uint32_t *part = labelled_components(&g, f->keep);
  assert_int_equal(part[1], part[2]);
  assert_int_not_equal(part[0], part[1]);
  assert_int_not_equal(part[3], part[1]);
}

static void ways_are_shortest_and_in_order(void **state) {
  rules_fixture *f = *state;
  const uint32_t edges[][2] = {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {1, 3}};
  const labelled_graph g = graph_of(f, 4, edges, 5);
  const uint32_t *part = labelled_components(&g, f->keep);
  const id_vec way = labelled_way(&g, part, 0, 3, f->keep);
  assert_int_equal(way.count, 2);
  assert_int_equal(g.edges.items[way.items[0]].label, 100);
  assert_int_equal(g.edges.items[way.items[1]].label, 104);
  assert_int_equal(labelled_way(&g, part, 2, 2, f->keep).count, 0);
}

static void a_graph_may_be_empty(void **state) {
  rules_fixture *f = *state;
  labelled_graph g = labelled_new(0, f->keep);
  labelled_finish(&g);
  assert_non_null(labelled_components(&g, f->keep));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      rules_test(edges_are_found_by_their_node),
      rules_test(cycles_are_one_part),
      rules_test(ways_are_shortest_and_in_order),
      rules_test(a_graph_may_be_empty),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
