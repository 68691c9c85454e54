/* Solutions by parts held against strong ones, over random games of independent parts. */
#include "solve/solve.h"

#include "machine/machine_fixture.h"
#include "solve/random_parts_fixture.h"

enum { GAMES = 150 };

static solve_result solve_by(machine_fixture *f, const machine *m, solve_method method) {
  solve_result r;
  const solve_options o = {.method = method, .threads = 1};
  assert_true(solve_game(&r, m, &o, f->keep, &f->b, &f->d));
  return r;
}

static void assert_same_moves(const mixed_plan *a, const mixed_plan *b, const char *words) {
  if (a->count != b->count) fail_msg("%u and %u best moves: %s", a->count, b->count, words);
  for (uint32_t i = 0; i < a->count; i++) assert_int_equal(a->moves[i], b->moves[i]);
}

static int32_t highest_goal(const machine *m) {
  const grounded *g = machine_grounded(m);
  int32_t highest = ENDLESS_VALUE;
  for (uint32_t i = 0; i < g->goals_of[1]; i++)
    if (g->goal_values[g->goals[i]] > highest) highest = g->goal_values[g->goals[i]];
  return highest;
}

/* By parts and strongly: the same value, remoteness and best moves.  A search that stops at the
   highest goal does not see all faults. */
static void assert_agree(machine_fixture *f, const machine *m, const char *words) {
  const solve_result parts = solve_by(f, m, SOLVE_BY_PARTS), all = solve_by(f, m, SOLVE_STRONG);
  assert_true(parts.is_solved && all.is_solved);
  assert_int_equal(parts.kind, SOLUTION_BY_PARTS);
  if (parts.values[0] != all.values[0])
    fail_msg("%g by parts, %g strongly: %s", parts.values[0], all.values[0], words);
  assert_int_equal(parts.has_remoteness, all.has_remoteness);
  if (parts.remoteness != all.remoteness)
    fail_msg("%u steps by parts, %u strongly: %s", parts.remoteness, all.remoteness, words);
  assert_same_moves(&parts.plans[0], &all.plans[0], words);
  assert_int_equal(parts.line.count, all.line.count);
  if (parts.values[0] < highest_goal(m)) {
    assert_int_equal(parts.faults > 0, all.faults > 0);
    assert_int_equal(parts.fault.kind != FAULT_NONE, all.fault.kind != FAULT_NONE);
    if (all.fault.kind != FAULT_NONE) assert_int_equal(parts.fault.length, all.fault.length);
  }
}

/* False: the game has no parts. */
static bool try_game(machine_fixture *f, const char *words) {
  open_game(f, words);
  const machine_source from = {.program = &f->p};
  machine *m = machine_open("lanes", &from, &f->b, &f->d);
  assert_non_null(m);
  const bool has_parts = !solve_by(f, m, SOLVE_BY_PARTS).reason;
  if (has_parts) assert_agree(f, m, words);
  machine_close(m);
  return has_parts;
}

/* Returns how many of the games had parts. */
static uint32_t try_games(machine_fixture *f, uint32_t seed, game_kind k) {
  uint32_t solved = 0;
  rng r = rng_new(seed, 0);
  for (uint32_t i = 0; i < GAMES; i++) {
    k.parts = 2 + rng_below(&r, MOST_PARTS - 1);
    text words = random_parts(f->keep, &r, &k);
    solved += try_game(f, text_string(&words));
  }
  return solved;
}

static void games_of_one_part_at_a_time_are_solved_alike(void **state) {
  assert_in_range(try_games(*state, 1, (game_kind){.parts = 2}), GAMES / 3, GAMES);
}

static void games_of_all_parts_at_once_are_solved_alike(void **state) {
  assert_in_range(try_games(*state, 2, (game_kind){.in_all = true}), GAMES / 3, GAMES);
}

static void clocks_are_common_to_all_parts(void **state) {
  assert_in_range(try_games(*state, 3, (game_kind){.has_clock = true}), GAMES / 3, GAMES);
  assert_in_range(try_games(*state, 4, (game_kind){.has_clock = true, .in_all = true}), GAMES / 3,
                  GAMES);
}

static void moves_may_be_legal_at_some_steps_alone(void **state) {
  assert_in_range(try_games(*state, 5, (game_kind){.has_clock = true, .is_guarded = true}),
                  GAMES / 3, GAMES);
}

static void faults_count_as_they_do_elsewhere(void **state) {
  assert_in_range(try_games(*state, 6, (game_kind){.may_go_wrong = true}), GAMES / 3, GAMES);
  assert_in_range(try_games(*state, 7, (game_kind){.may_go_wrong = true, .in_all = true}),
                  GAMES / 3, GAMES);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      a_test(games_of_one_part_at_a_time_are_solved_alike),
      a_test(games_of_all_parts_at_once_are_solved_alike),
      a_test(clocks_are_common_to_all_parts),
      a_test(moves_may_be_legal_at_some_steps_alone),
      a_test(faults_count_as_they_do_elsewhere),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
