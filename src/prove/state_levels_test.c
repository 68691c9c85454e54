/* States by depth: what diagrams count is what a walk counts. */
#include "prove/state_levels.h"

#include "base/rng.h"
#include "ground/random_game_fixture.h"
#include "prove/prove_fixture.h"

#include <stdlib.h>

enum { GAMES = 40 };

static void count(prove_fixture *f, state_levels *l, bool by_diagrams, uint32_t depth) {
  const state_levels_options o = {.by_diagrams = by_diagrams, .depth = depth, .threads = 2};
  ask(f, "playable");
  if (!state_levels_count(l, &f->j.g, o, f->keep, &f->b, &f->d))
    fail_msg("%s", l->reason ? l->reason : "tabia-bdd cannot be run");
}

static void assert_same(prove_fixture *f, uint32_t depth) {
  state_levels walked, drawn;
  count(f, &walked, false, depth);
  count(f, &drawn, true, depth);
  assert_int_equal(drawn.counts.count, walked.counts.count);
  for (uint32_t i = 0; i < walked.counts.count; i++)
    assert_string_equal(drawn.counts.items[i], walked.counts.items[i]);
  assert_string_equal(drawn.total, walked.total);
  if (depth == UINT32_MAX) assert_true(walked.is_complete && drawn.is_complete);
}

static void need_diagrams(void) {
  if (!getenv("TABIA_BDD")) skip();
}

static void diagrams_count_as_a_walk_does_in_random_games(void **state) {
  prove_fixture *f = *state;
  need_diagrams();
  for (uint64_t seed = 0; seed < GAMES; seed++) {
    rng r = rng_new(seed, 5);
    read_game(f, random_game_text(&r, f->keep));
    assert_same(f, UINT32_MAX);
  }
}

static void diagrams_count_as_a_walk_does_in_built_in_games(void **state) {
  static const char *const names[] = {"tic-tac-toe", "nim",          "river-crossing",
                                      "monty-hall",  "blocks-world", "prisoners-dilemma"};
  prove_fixture *f = *state;
  need_diagrams();
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    read_builtin(f, names[i]);
    assert_same(f, UINT32_MAX);
  }
}

static void no_more_levels_are_counted_than_were_asked_for(void **state) {
  prove_fixture *f = *state;
  state_levels l;
  need_diagrams();
  read_builtin(f, "nim");
  assert_same(f, 3);
  read_builtin(f, "tic-tac-toe");
  count(f, &l, false, 3);
  assert_int_equal(l.counts.count, 4);
  assert_string_equal(l.total, "334");
  assert_false(l.is_complete);
}

/* John Tromp's counts of connect four on 7 columns of 6. */
static void connect_four_has_the_published_numbers(void **state) {
  static const char *const published[] = {"1",    "7",     "49",    "238",   "1120",
                                          "4263", "16422", "54859", "184275"};
  prove_fixture *f = *state;
  state_levels l;
  need_diagrams();
  read_builtin(f, "connect-four");
  count(f, &l, true, 8);
  for (uint32_t i = 0; i < 9; i++) assert_string_equal(l.counts.items[i], published[i]);
}

static void where_the_program_is_missing_that_is_said(void **state) {
  prove_fixture *f = *state;
  const char *before = getenv("TABIA_BDD");
  char kept[4096] = "";
  state_levels l;
  if (before) snprintf(kept, sizeof kept, "%s", before);
  setenv("TABIA_BDD", "/nowhere/tabia-bdd", 1);
  read_builtin(f, "tic-tac-toe");
  ask(f, "playable");
  const state_levels_options o = {.by_diagrams = true, .depth = 3, .threads = 1};
  assert_false(state_levels_count(&l, &f->j.g, o, f->keep, &f->b, &f->d));
  assert_int_equal(f->d.errors, 1);
  if (before)
    setenv("TABIA_BDD", kept, 1);
  else
    unsetenv("TABIA_BDD");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      a_test(diagrams_count_as_a_walk_does_in_random_games),
      a_test(diagrams_count_as_a_walk_does_in_built_in_games),
      a_test(no_more_levels_are_counted_than_were_asked_for),
      a_test(connect_four_has_the_published_numbers),
      a_test(where_the_program_is_missing_that_is_said),
  };
  return cmocka_run_group_tests_name("prove/state_levels", tests, NULL, NULL);
}
