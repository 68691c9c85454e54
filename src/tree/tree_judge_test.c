#include "tree/style.h"

#include "machine/machine_fixture.h"

/* The root of tic-tac-toe, opened with a network that knows nothing: its weights are random. */
static tree_search *judged(machine_fixture *f, machine *m, bool priors) {
  const tree_options usual = {.memory = 1 << 22, .solver = true, .priors = priors};
  const tree_options o = style_apply(&usual, STYLE_JUDGES);
  tree_search *s = tree_search_new(m, &o);
  s->net = net_new(m, 1, f->keep);
  void *start = arena_alloc(f->keep, m->position_size);
  assert_non_null(s->net);
  machine_start(m, start);
  assert_true(tree_begin(s, &f->b));
  tree_set_root(s, start);
  assert_true(tree_round(s, 1) > 0);
  return s;
}

static void moves_are_as_likely_as_they_are_good_unless_priors_are_off(void **state) {
  machine_fixture *f = *state;
  open_builtin(f, "tic-tac-toe");
  const machine_source from = {.program = &f->p, .bulk = BULK_STEPS};
  machine *m = machine_open("lanes", &from, &f->b, &f->d);
  assert_non_null(m);
  tree_search *with = judged(f, m, true), *without = judged(f, m, false);
  double sum = 0;
  uint32_t better = 0;
  for (uint32_t i = 0; i < 9; i++) {
    const play_edge *e = nodes_edge(with->store, with->root, i);
    sum += (double)e->prior;
    better += e->prior > 1.0f / 9;
    assert_float_equal(nodes_edge(without->store, without->root, i)->prior, 1.0f / 9, 1e-6f);
  }
  assert_float_equal(sum, 1, 1e-5);
  assert_in_range(better, 1, 8);
  tree_search_free(with);
  tree_search_free(without);
  machine_close(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test_setup_teardown(
      moves_are_as_likely_as_they_are_good_unless_priors_are_off, set_up, tear_down)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
