#include "machine/lanes/lane_counter_games.h"

#include "machine/lane_fixture.h"

enum { GAMES = 3 * LANES, ROLES_MAX = 4 };

/* A state for each game: the start of the rules. */
static uint64_t *starts(machine_fixture *f, const lane_game *l, uint64_t count) {
  const uint32_t words = grounded_words(&l->g);
  uint64_t *all = arena_zero_array(f->keep, uint64_t, count * words);
  for (uint64_t i = 0; i < count; i++) grounded_start(&l->g, all + i * words);
  return all;
}

static int32_t *goals_of(machine_fixture *f, lane_game *l, rollout_request r) {
  lane_player *p = lane_player_new(&l->g, &l->net, &l->code, f->keep);
  r.goals = arena_zero_array(f->keep, int32_t, r.games * ROLES_MAX);
  assert_true(lane_counter_games_play(p, &r, NULL));
  return r.goals;
}

static lane_game *opened(machine_fixture *f, const char *name) {
  open_game(f, builtin_text(f, name));
  return lane_game_new(f, NET_PLAYS, lane_engine_best(), lane_jit_is_possible());
}

static uint64_t games_with(const lane_game *l, const int32_t *goals, uint64_t first, uint32_t role,
                           int32_t value) {
  const uint32_t roles = l->g.circuit.roles.count;
  uint64_t count = 0;
  for (uint64_t i = first; i < first + LANES; i++) count += goals[i * roles + role] == value;
  return count;
}

/* Parts with as many games as there are lanes have a game in each lane, too. */
static void from_the_start_they_are_the_first_games_of_parts(void **state) {
  static const char *const games[] = {"connect-four", "monty-hall", "three-player-tic-tac-toe"};
  machine_fixture *f = *state;
  for (uint32_t k = 0; k < sizeof games / sizeof *games; k++) {
    lane_game *l = opened(f, games[k]);
    const rollout_request r = {.positions = starts(f, l, GAMES),
                               .games = GAMES,
                               .games_each = 1,
                               .seed = 6,
                               .first = LANES};
    const int32_t *goals = goals_of(f, l, r);
    for (uint32_t part = 1; part < 4; part++) {
      const bulk_tally t =
          tally_of(f, l, (bulk_part){.seed = 6, .number = part, .starts = LANES, .counter = true});
      for (uint32_t role = 0; role < l->g.circuit.roles.count; role++)
        for (uint32_t i = l->g.goals_of[role]; role != l->g.nature && i < l->g.goals_of[role + 1];
             i++)
          assert_int_equal(t.goals[l->g.goals[i]],
                           games_with(l, goals, (part - 1) * (uint64_t)LANES, role,
                                      l->g.goal_values[l->g.goals[i]]));
    }
    lane_game_free(l);
  }
}

/* The same number and state, the same game: whatever is played beside it. */
static void a_game_depends_on_its_number_and_state_alone(void **state) {
  machine_fixture *f = *state;
  lane_game *l = opened(f, "tic-tac-toe");
  const uint32_t words = grounded_words(&l->g);
  uint64_t *from = starts(f, l, 300);
  for (uint32_t i = 0; i < 300; i++) from[i * words] ^= i % 3; /* any state will do */
  const rollout_request all = {
      .positions = from, .games = 900, .games_each = 3, .seed = 2, .first = 1000, .max_steps = 30};
  const int32_t *whole = goals_of(f, l, all);
  rollout_request some = all;
  some.positions += 77 * words;
  some.first += UINT64_C(77) * 3;
  some.games = 200;
  assert_memory_equal(goals_of(f, l, some), whole + (size_t)77 * 3 * 2, 200 * 2 * sizeof *whole);
  assert_int_not_equal(games_with(l, whole, 0, 0, 100), 0);
  lane_game_free(l);
}

static void games_that_are_too_long_have_no_goals(void **state) {
  machine_fixture *f = *state;
  lane_game *l = opened(f, "tic-tac-toe");
  rollout_request r = {
      .positions = starts(f, l, GAMES), .games = GAMES, .games_each = 1, .seed = 1};
  uint64_t none[10];
  for (r.max_steps = 4; r.max_steps < 10; r.max_steps++)
    none[r.max_steps] = games_with(l, goals_of(f, l, r), 0, 0, GOAL_NONE);
  assert_int_equal(none[4], LANES); /* no game has only four moves */
  for (uint32_t i = 5; i < 10; i++) assert_true(none[i] < none[i - 1]);
  assert_int_equal(none[9], 0);
  lane_game_free(l);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      a_test(from_the_start_they_are_the_first_games_of_parts),
      a_test(a_game_depends_on_its_number_and_state_alone),
      a_test(games_that_are_too_long_have_no_goals),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
