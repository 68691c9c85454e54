/* A store with one thing broken is noticed, and is sound again once that is mended. */
#include "tree/tree_store_sound.h"

#include "base/base_fixture.h"

enum { ROOT, LEFT, BELOW }; /* BELOW: both roles choose */

static const machine two_roles = {.role_count = 2, .position_size = sizeof(uint64_t)};

static id_vec moves_of(uint32_t count, arena *keep) {
  id_vec moves = {0};
  for (uint32_t i = 0; i < count; i++) vec_push(keep, &moves, i);
  return moves;
}

static void open_with(tree_store *s, node_id id, uint32_t first, uint32_t second) {
  const id_vec moves[2] = {moves_of(first, s->keep), moves_of(second, s->keep)};
  assert_true(nodes_open(s, id, moves));
}

static node_id added(tree_store *s, uint64_t position) {
  const node_id id = nodes_add(s, &position);
  nodes_index(s, id);
  return id;
}

/* The root with two children; below the left one a node at which both choose, with a child. */
static tree_store *grown(arena *keep) {
  static const uint32_t joint[2] = {0, 1};
  tree_store *s = nodes_new(&two_roles, 1 << 16, keep);
  for (uint64_t position = 0; position < 5; position++)
    assert_int_equal(added(s, position), position);
  open_with(s, ROOT, 2, 1);
  nodes_edge(s, ROOT, 0)->child = LEFT;
  nodes_edge(s, ROOT, 1)->child = 4;
  open_with(s, LEFT, 1, 3);
  nodes_edge(s, LEFT, 2)->child = BELOW;
  open_with(s, BELOW, 2, 2);
  *nodes_joint_child(s, BELOW, joint) = 3;
  return s;
}

static void stores_are_sound_before_and_after_pruning(void **state) {
  tree_store *s = grown(*state);
  assert_true(tree_store_is_sound(s));
  nodes_prune(s, LEFT);
  assert_int_equal(nodes_count(s), 3);
  assert_true(tree_store_is_sound(s));
  assert_int_equal(nodes_edge(s, LEFT, 2)->child, BELOW);
}

static void an_empty_store_is_sound(void **state) {
  tree_store *s = grown(*state);
  nodes_clear(s);
  assert_true(tree_store_is_sound(s));
  assert_true(tree_store_is_sound(nodes_new(&two_roles, 1 << 16, *state)));
}

static void assert_noticed(const tree_store *s, uint32_t *number, uint32_t wrong) {
  const uint32_t right = *number;
  *number = wrong;
  assert_false(tree_store_is_sound(s));
  *number = right;
  assert_true(tree_store_is_sound(s));
}

static void children_that_there_are_not(void **state) {
  tree_store *s = grown(*state);
  assert_noticed(s, &nodes_edge(s, ROOT, 0)->child, 5);
  assert_noticed(s, &s->places.items[LEFT], 0);
  assert_noticed(s, &s->joint_count, 2);
  assert_noticed(s, &s->index.slots[id_table_first(&s->index, 0)], 5);
}

static void edges_outside_of_the_block(void **state) {
  tree_store *s = grown(*state);
  assert_noticed(s, &node_of(s, LEFT)->edges, s->used);
  assert_noticed(s, &node_of(s, LEFT)->edges, 0);
  assert_noticed(s, &nodes_edges(s, BELOW)->count, 1000);
  assert_noticed(s, &nodes_firsts(s, BELOW)[1], 5);
  assert_noticed(s, &nodes_edges(s, ROOT)->chooser, 2);
  assert_noticed(s, &s->places.items[BELOW], s->used);
  assert_noticed(s, &s->used, s->room + 1);
}

static void bounds_that_contradict_each_other(void **state) {
  tree_store *s = grown(*state);
  nodes_lows(s, LEFT)[1] = 51;
  nodes_highs(s, LEFT)[1] = 50;
  assert_false(tree_store_is_sound(s));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      base_test(stores_are_sound_before_and_after_pruning),
      base_test(an_empty_store_is_sound),
      base_test(children_that_there_are_not),
      base_test(edges_outside_of_the_block),
      base_test(bounds_that_contradict_each_other),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
