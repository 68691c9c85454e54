/* Latches go back to their first value where a game begins, and are as before elsewhere. */
#include "base/base_fixture.h"
#include "machine/lanes/lane_reset.h"
#include "machine/lanes/random_aig_fixture.h"

enum { LATCHES = 60 };

static void check_random_latches(uint64_t seed, arena *keep) {
  aig g;
  edge_list edges = {0};
  rng r = rng_new(31, seed);
  lane_reset latches[LATCHES];
  edge before[LATCHES];
  aig_init(&g, keep);
  random_edges(&g, 8, 20 + rng_below(&r, 60), &edges, &r);
  const edge gone = aig_input(&g);
  for (uint32_t i = 0; i < LATCHES; i++) {
    before[i] = edges.items[rng_below(&r, edges.count)] ^ rng_below(&r, 2);
    latches[i] = (lane_reset){before[i], rng_below(&r, 4) == 0};
  }
  lane_reset_all(&g, latches, LATCHES, gone, keep);
  uint64_t *values = arena_zero_array(keep, uint64_t, g.nodes.count);
  for (uint32_t i = 1; i < g.nodes.count; i++)
    if (aig_is_input(&g, i)) values[i] = rng_next(&r);
  aig_evaluate(&g, values);
  for (uint32_t i = 0; i < LATCHES; i++) {
    const uint64_t over = edge_value(values, gone);
    const uint64_t first = latches[i].initially ? UINT64_MAX : 0;
    assert_true(edge_value(values, latches[i].next) ==
                ((over & first) | (~over & edge_value(values, before[i]))));
  }
}

static void latches_are_reset_where_a_game_begins(void **state) {
  for (uint64_t seed = 0; seed < 200; seed++) check_random_latches(seed, *state);
}

/* 'It stays if nothing is done here, or something comes': ten latches, two conditions.  With a
   condition more for each latch there would be forty conjunctions. */
static void conditions_that_are_shared_are_asked_once(void **state) {
  aig g;
  lane_reset latches[10];
  aig_init(&g, *state);
  const edge stays = aig_input(&g), comes = aig_input(&g), gone = aig_input(&g);
  for (uint32_t i = 0; i < 10; i++) {
    const edge kept = aig_and(&g, aig_input(&g), stays), fresh = aig_and(&g, aig_input(&g), comes);
    latches[i] = (lane_reset){aig_or(&g, kept, fresh), false};
  }
  lane_reset_all(&g, latches, 10, gone, *state);
  const edge asked[2] = {aig_and(&g, stays, edge_not(gone)), aig_and(&g, comes, edge_not(gone))};
  for (uint32_t i = 0; i < 10; i++) {
    const aig_node any = g.nodes.items[edge_node(latches[i].next)];
    const edge terms[2] = {edge_not(any.a), edge_not(any.b)};
    for (uint32_t k = 0; k < 2; k++) {
      const aig_node term = g.nodes.items[edge_node(terms[k])];
      assert_true(term.a == asked[0] || term.b == asked[0] || term.a == asked[1] ||
                  term.b == asked[1]);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      base_test(latches_are_reset_where_a_game_begins),
      base_test(conditions_that_are_shared_are_asked_once),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
