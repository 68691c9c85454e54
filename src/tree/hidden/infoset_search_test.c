#include "tree/hidden/infoset_search.h"

#include "machine/machine_fixture.h"

static machine *lanes_of(machine_fixture *f) {
  const machine_source from = {.program = &f->p, .bulk = BULK_STEPS};
  machine *m = machine_open("lanes", &from, &f->b, &f->d);
  assert_non_null(m);
  return m;
}

static machine *open_lanes(machine_fixture *f, const char *game) {
  open_builtin(f, game);
  return lanes_of(f);
}

static void batches_are_a_function_of_the_seed(void **state) {
  machine_fixture *f = *state;
  machine *m = open_lanes(f, "dark-tic-tac-toe");
  infoset_search *a = infoset_search_new(m, 7, .25, 1 << 24),
                 *b = infoset_search_new(m, 7, .25, 1 << 24);
  assert_true(infoset_begin(a, &f->b) && infoset_begin(b, &f->b));
  for (uint32_t i = 0; i < 5; i++) assert_int_equal(infoset_batch(a, 300), infoset_batch(b, 300));
  assert_int_equal(a->store->sets.count, b->store->sets.count);
  assert_true(a->store->sets.count > 300);
  for (uint32_t i = 0; i < a->store->choices.count; i++)
    assert_true(a->store->choices.items[i].sum == b->store->choices.items[i].sum);
  infoset_search_free(a);
  infoset_search_free(b);
  machine_close(m);
}

static void memory_stays_bounded(void **state) {
  machine_fixture *f = *state;
  machine *m = open_lanes(f, "dark-tic-tac-toe");
  infoset_search *s = infoset_search_new(m, 1, .25, 1 << 16);
  assert_true(infoset_begin(s, &f->b));
  for (uint32_t i = 0; i < 20; i++) assert_int_equal(infoset_batch(s, LANES), LANES);
  assert_true(s->store->sets.count * sizeof(infoset) +
                  s->store->choices.count * sizeof(infoset_choice) <
              1 << 16);
  infoset_search_free(s);
  machine_close(m);
}

/* The first move of x is told with percepts that nobody can have had. */
static void what_cannot_have_been_seen_gives_no_games(void **state) {
  machine_fixture *f = *state;
  machine *m = open_lanes(f, "dark-tic-tac-toe");
  infoset_search *s = infoset_search_new(m, 1, .25, 1 << 20);
  assert_true(infoset_begin(s, &f->b));
  infoset_tell(s, 0, (infoset_news){.own = 0, .percepts = 12345});
  assert_int_equal(infoset_focus(s, 0, LANES), 0);
  infoset_restart(s);
  assert_int_equal(infoset_focus(s, 0, LANES), LANES);
  assert_true(infoset_now(s, 0) != INFOSET_NONE);
  infoset_search_free(s);
  machine_close(m);
}

/* A bad first move of x gives o a choice. */
static const char blunder[] =
    "(role x) (role o) (init (stage first))"
    "(<= (legal x good) (true (stage first))) (<= (legal x bad) (true (stage first)))"
    "(<= (legal o noop) (true (stage first))) (<= (legal x noop) (true (stage reply)))"
    "(<= (legal o left) (true (stage reply))) (<= (legal o right) (true (stage reply)))"
    "(<= (next (stage won)) (does x good)) (<= (next (stage reply)) (does x bad))"
    "(<= (next (stage lost)) (does o left)) (<= (next (stage won)) (does o right))"
    "(<= terminal (true (stage won))) (<= terminal (true (stage lost)))"
    "(<= (goal x 100) (true (stage won))) (<= (goal x 0) (not (true (stage won))))"
    "(<= (goal o 0) (true (stage won))) (<= (goal o 100) (not (true (stage won))))"
    "(<= (sees o (x ?move)) (does x ?move))";

/* How many games in which o learned came to its choice. */
static uint32_t lessons_of_reply(const machine *m, double strangers, const budget *limits) {
  uint32_t visits = 0;
  infoset_search *s = infoset_search_new(m, 1, strangers, 1 << 20);
  assert_true(infoset_begin(s, limits));
  for (uint32_t i = 0; i < 40; i++) assert_int_equal(infoset_batch(s, LANES), LANES);
  for (uint32_t i = 0; i < s->store->sets.count; i++)
    for (uint32_t k = 0; s->store->sets.items[i].role == 1 && k < 2; k++)
      visits += infoset_choices(s->store, i)[k].visits;
  infoset_search_free(s);
  return visits;
}

static void strangers_lead_where_nobody_goes_who_has_learned(void **state) {
  machine_fixture *f = *state;
  assert_true(open_text(f, blunder));
  machine *m = lanes_of(f);
  const uint32_t without = lessons_of_reply(m, 0, &f->b);
  assert_true(without > 0);
  assert_true(lessons_of_reply(m, .25, &f->b) > 4 * without);
  machine_close(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(batches_are_a_function_of_the_seed, set_up, tear_down),
      cmocka_unit_test_setup_teardown(memory_stays_bounded, set_up, tear_down),
      cmocka_unit_test_setup_teardown(what_cannot_have_been_seen_gives_no_games, set_up, tear_down),
      cmocka_unit_test_setup_teardown(strangers_lead_where_nobody_goes_who_has_learned, set_up,
                                      tear_down)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
