/* Games from many positions: those of `lanes` by counter, on the emulator. */
#include "machine/gpu/gpu_rollouts.h"

#include "machine/bundle.h"
#include "machine/gpu/faulty_game_fixture.h"
#include "machine/gpu/gpu_machine.h"
#include "machine/machine_fixture.h"

#include <stdlib.h>

enum { POSITIONS = 200 };

static machine *opened(machine_fixture *f, const char *kind) {
  const machine_source from = {.program = &f->p, .bulk = BULK_PLAYOUTS};
  machine *m = machine_open(kind, &from, &f->b, &f->d);
  assert_non_null(m);
  return m;
}

static bool is_early(uint32_t lane, uint32_t step) { return lane % 7 > step; }

/* States after no to six random moves, or where a game has ended before. */
static bundle *some_states(const machine *m) {
  bundle *b = bundle_new(m, NULL);
  move_id joints[LANES * 8];
  char *starts = test_malloc(m->position_size * POSITIONS);
  for (uint32_t i = 0; i < POSITIONS; i++) machine_start(m, starts + i * m->position_size);
  bundle_load(b, starts, POSITIONS);
  for (uint32_t step = 0; step < 6; step++) {
    bundle_row illegal;
    bundle_draw(b, 4, step, 0, joints);
    for (uint32_t i = 0; i < POSITIONS; i++)
      if (!is_early(i, step)) joints[i * m->role_count] = MOVE_NONE; /* it stays */
    bundle_step(b, joints, &illegal);
  }
  test_free(starts);
  return b;
}

/* Both play `each` games from each state; the device so many parts at a time. */
static void assert_same_games(machine_fixture *f, const char *words, bundle_games games,
                              uint64_t parts) {
  open_game(f, words);
  machine *lanes = opened(f, "lanes"), *gpu = opened(f, "gpu");
  const uint64_t count = (uint64_t)POSITIONS * games.each;
  const size_t goal_count = count * lanes->role_count;
  int32_t *expected = test_malloc(goal_count * sizeof *expected);
  int32_t *found = test_malloc(goal_count * sizeof *found);
  bundle *b = some_states(lanes);
  uint64_t *positions = test_malloc(lanes->position_size * POSITIONS);
  bundle_store(b, positions);
  games.counter = true;
  bundle_play(b, &games, expected);
  const gpu_code *c = gpu_machine_code(gpu, 0, START_OF_EACH, NULL);
  assert_int_equal(gpu_code_wait(c, 1e6), CODE_IS_READY);
  const rollout_request r = {.positions = positions,
                             .games = count,
                             .games_each = games.each,
                             .seed = games.seed,
                             .first = games.first,
                             .max_steps = games.max_steps,
                             .goals = found};
  if (!gpu_rollouts_play(c, machine_grounded(gpu), &r, parts, NULL))
    fail_msg("%s", c->device->message);
  assert_memory_equal(expected, found, goal_count * sizeof *found);
  uint64_t ended = 0;
  for (size_t i = 0; i < goal_count; i++) ended += found[i] != GOAL_NONE;
  assert_int_not_equal(ended, 0);
  bundle_free(b);
  machine_close(lanes);
  machine_close(gpu);
  test_free(expected);
  test_free(found);
  test_free(positions);
}

static void games_are_those_of_lanes(void **state) {
  static const char *const games[] = {"tic-tac-toe", "simultaneous-tic-tac-toe", "hex-5",
                                      "monty-hall", "kuhn-poker"};
  machine_fixture *f = *state;
  for (uint32_t i = 0; i < sizeof games / sizeof *games; i++)
    assert_same_games(
        f, builtin_text(f, games[i]),
        (bundle_games){.seed = 3 + i, .first = 1000 * i, .each = 1 + i % 3, .max_steps = 50}, 2);
}

/* With values in shared and global memory. */
static void so_they_are_in_a_large_game(void **state) {
  machine_fixture *f = *state;
  assert_same_games(f, builtin_text(f, "breakthrough-6"),
                    (bundle_games){.seed = 1, .first = 77, .each = 2, .max_steps = 60}, 1);
}

static void any_number_of_parts_goes_to_the_device(void **state) {
  machine_fixture *f = *state;
  for (uint64_t parts = 1; parts < 5; parts++)
    assert_same_games(
        f, builtin_text(f, "tic-tac-toe"),
        (bundle_games){.seed = 9, .first = UINT64_MAX / 2 - 100, .each = 5, .max_steps = 8}, parts);
}

static void faulty_games_have_no_goal(void **state) {
  assert_same_games(*state, faulty_game,
                    (bundle_games){.seed = 1, .first = 3, .each = 4, .max_steps = 40}, 2);
}

/* No game has a goal then. */
static void a_device_that_fails_says_so(void **state) {
  machine_fixture *f = *state;
  open_builtin(f, "tic-tac-toe");
  setenv("TABIA_GPU", "emulator,fail=1", 1);
  machine *gpu = opened(f, "gpu");
  setenv("TABIA_GPU", "emulator", 1);
  uint64_t *position = arena_alloc_zero(f->keep, gpu->position_size);
  const char *trouble = NULL;
  int32_t goals[2] = {1, 1};
  machine_start(gpu, position);
  const rollout_request r = {.positions = position, .games = 1, .games_each = 1, .goals = goals};
  assert_false(gpu->ops->bulk_play->play_each(gpu, &r, &trouble, NULL));
  assert_non_null(trouble);
  assert_string_equal(trouble, "the emulator fails, as it was told");
  assert_int_equal(goals[0], GOAL_NONE);
  assert_int_equal(goals[1], GOAL_NONE);
  machine_close(gpu);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      a_test(games_are_those_of_lanes),
      a_test(so_they_are_in_a_large_game),
      a_test(any_number_of_parts_goes_to_the_device),
      a_test(faulty_games_have_no_goal),
      a_test(a_device_that_fails_says_so),
  };
  setenv("TABIA_GPU", "emulator", 1);
  return cmocka_run_group_tests(tests, NULL, NULL);
}
