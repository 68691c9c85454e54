/* Random games, counts and bundles through tabia.h. */
#include "api/api_fixture.h"

/* ---- random games ---- */

static void games_begin_where_they_are_told(void **state) {
  api_fixture *f = *state;
  unsigned char position[POSITION_MAX];
  static const char *const kinds[] = {"lanes", "circuit", "reference"};
  assert_int_equal(read_text(f, COUNTING_GAME), TABIA_OK);
  for (int i = 0; i < 3; i++) {
    tabia_machine_open(&f->machine, f->rules, kinds[i], NULL, f->log);
    tabia_workspace *w = tabia_workspace_new(f->machine, NULL);
    tabia_playouts *p = tabia_playouts_new(f->machine);
    tabia_move go;
    tabia_position_start(f->machine, position);
    for (int step = 0; step < 3; step++) {
      assert_true(tabia_move_find(w, position, 0, "go", &go));
      tabia_position_step(w, position, &go, position);
    }
    tabia_playouts_set_count(p, 1000);
    tabia_playouts_set_start(p, position); /* where only one move is left */
    assert_int_equal(tabia_playouts_run(p, NULL, f->log), TABIA_OK);
    assert_int_equal(tabia_playouts_played(p), 1000);
    assert_int_equal(tabia_playouts_goal_count(p, 0, 100), 1000);
    assert_int_equal(tabia_playouts_states(p), 1000);
    tabia_playouts_set_start(p, NULL);
    assert_int_equal(tabia_playouts_run(p, NULL, f->log), TABIA_OK);
    assert_int_equal(tabia_playouts_played(p), 1000);
    assert_in_range(tabia_playouts_goal_count(p, 0, 100), 60, 190); /* 125 in the mean */
    assert_int_equal(tabia_playouts_longest(p), 4);
    tabia_playouts_free(p);
    tabia_workspace_free(w);
    tabia_machine_close(f->machine);
  }
  f->machine = NULL;
}

static void a_terminal_start_is_worth_its_goals(void **state) {
  api_fixture *f = *state;
  unsigned char position[POSITION_MAX];
  tabia_move stop;
  open_game(f, COUNTING_GAME, "lanes");
  tabia_workspace *w = tabia_workspace_new(f->machine, NULL);
  tabia_playouts *p = tabia_playouts_new(f->machine);
  tabia_position_start(f->machine, position);
  assert_true(tabia_move_find(w, position, 0, "stop", &stop));
  tabia_position_step(w, position, &stop, position);
  tabia_playouts_set_start(p, position);
  tabia_playouts_set_count(p, 100);
  assert_int_equal(tabia_playouts_run(p, NULL, f->log), TABIA_OK);
  assert_int_equal(tabia_playouts_goal_count(p, 0, 0), 100);
  assert_int_equal(tabia_playouts_longest(p), 0);
  tabia_playouts_free(p);
  tabia_workspace_free(w);
}

static void threads_do_not_change_figures(void **state) {
  api_fixture *f = *state;
  open_file(f, "games/tic-tac-toe.kif", "lanes");
  tabia_playouts *p = tabia_playouts_new(f->machine);
  tabia_playouts_set_count(p, 1000 * 1000);
  tabia_playouts_set_seed(p, 5);
  assert_int_equal(tabia_playouts_run(p, NULL, f->log), TABIA_OK);
  const uint64_t states = tabia_playouts_states(p), wins = tabia_playouts_goal_count(p, 0, 100);
  assert_in_range(wins, 582000, 588000);
  assert_true(tabia_playouts_mean_length(p) > 7.6 && tabia_playouts_mean_length(p) < 7.65);
  tabia_playouts_set_threads(p, 3);
  assert_int_equal(tabia_playouts_run(p, NULL, f->log), TABIA_OK);
  assert_int_equal(tabia_playouts_states(p), states);
  assert_int_equal(tabia_playouts_goal_count(p, 0, 100), wins);
  tabia_playouts_free(p);
}

static void games_without_an_end_in_sight_are_misuse(void **state) {
  api_fixture *f = *state;
  open_game(f, COUNTING_GAME, "lanes");
  tabia_playouts *p = tabia_playouts_new(f->machine);
  assert_int_equal(tabia_playouts_run(p, NULL, f->log), TABIA_MISUSE);
  assert_says(f, "a count or a time");
  assert_int_equal(tabia_playouts_played(p), 0);
  assert_int_equal(tabia_playouts_goal_count(p, 0, 100), 0);
  tabia_playouts_free(p);
}

static void a_stuck_role_is_told_and_not_counted(void **state) {
  api_fixture *f = *state;
  static const char *const kinds[] = {"lanes", "reference"};
  assert_int_equal(read_text(f, STUCK_GAME), TABIA_OK);
  for (int i = 0; i < 2; i++) {
    tabia_machine_open(&f->machine, f->rules, kinds[i], NULL, f->log);
    tabia_playouts *p = tabia_playouts_new(f->machine);
    tabia_playouts_set_count(p, 10);
    assert_int_equal(tabia_playouts_run(p, NULL, f->log), TABIA_FAULTY);
    assert_int_equal(tabia_playouts_faulty(p), 10);
    assert_int_equal(tabia_playouts_played(p), 0);
    assert_says(f, "robot has no legal move");
    assert_says(f, "1. go");
    tabia_messages_clear(f->log);
    tabia_playouts_free(p);
    tabia_machine_close(f->machine);
  }
  f->machine = NULL;
}

static void games_keep_to_limits(void **state) {
  api_fixture *f = *state;
  const volatile sig_atomic_t flag = 1;
  open_game(f, COUNTING_GAME, "reference");
  tabia_playouts *p = tabia_playouts_new(f->machine);
  tabia_limits_set_interrupt(f->limits, &flag);
  tabia_playouts_set_count(p, 1000 * 1000 * 1000);
  assert_int_equal(tabia_playouts_run(p, f->limits, f->log), TABIA_LIMIT);
  assert_says(f, "[E803]");
  tabia_playouts_free(p);
}

/* ---- counting ---- */

static void ways_are_counted(void **state) {
  api_fixture *f = *state;
  open_file(f, "games/tic-tac-toe.kif", "circuit");
  tabia_perft *p = tabia_perft_new(f->machine);
  assert_int_equal(tabia_perft_nodes(p, 0), 0);
  assert_int_equal(tabia_perft_run(p, 9, NULL, f->log), TABIA_OK);
  assert_int_equal(tabia_perft_depth(p), 9);
  assert_int_equal(tabia_perft_nodes(p, 2), 72);
  assert_int_equal(tabia_perft_nodes(p, 9), 127872);
  assert_int_equal(tabia_perft_unique(p, 9), 78);
  assert_int_equal(tabia_perft_nodes(p, 10), 0);
  tabia_perft_set_ignore_terminal(p, true);
  tabia_perft_set_threads(p, 2);
  assert_int_equal(tabia_perft_run(p, 9, NULL, f->log), TABIA_OK);
  assert_int_equal(tabia_perft_nodes(p, 9), 362880);
  tabia_perft_free(p);
}

static void counting_tells_where_a_role_is_stuck(void **state) {
  api_fixture *f = *state;
  open_game(f, STUCK_GAME, "reference");
  tabia_perft *p = tabia_perft_new(f->machine);
  assert_int_equal(tabia_perft_run(p, 3, NULL, f->log), TABIA_FAULTY);
  assert_says(f, "robot has no legal move");
  tabia_perft_free(p);
}

/* ---- bundles ---- */

/* A reproducible choice that differs between states. */
static tabia_move nth_move(const tabia_move *moves, uint32_t count, uint32_t n) {
  return moves[n * 7919u % count];
}

enum { STATES = 300, ROLES = 2, MOVES = 16, STEPS = 7 };

typedef struct bundle_walk {
  tabia_machine *machine;
  tabia_bundle *bundle;
  tabia_move moves[ROLES][STATES * MOVES], joints[STATES * ROLES];
  uint32_t counts[ROLES][STATES];
} bundle_walk;

/* Steps every state by a move of its own; gives back how many roles had nothing to choose. */
static uint32_t step_bundle(bundle_walk *b, uint32_t step) {
  uint32_t forced = 0;
  for (uint32_t role = 0; role < ROLES; role++)
    tabia_bundle_legal(b->bundle, role, b->moves[role], MOVES, b->counts[role]);
  for (uint32_t i = 0; i < STATES; i++)
    for (uint32_t role = 0; role < ROLES; role++) {
      assert_in_range(b->counts[role][i], 1, MOVES);
      forced += b->counts[role][i] == 1;
      b->joints[i * ROLES + role] =
          nth_move(b->moves[role] + (size_t)i * MOVES, b->counts[role][i], i + step * 31);
    }
  tabia_bundle_step(b->bundle, b->joints);
  return forced;
}

static void open_walk(api_fixture *f, bundle_walk *b, const char *kind) {
  assert_int_equal(tabia_machine_open(&b->machine, f->rules, kind, NULL, f->log), TABIA_OK);
  const size_t size = tabia_position_size(b->machine);
  char *positions = test_malloc(size * STATES);
  b->bundle = tabia_bundle_new(b->machine, NULL);
  for (uint32_t i = 0; i < STATES; i++) tabia_position_start(b->machine, positions + i * size);
  assert_true(tabia_bundle_load(b->bundle, positions, STATES));
  assert_false(tabia_bundle_load(b->bundle, positions, TABIA_BUNDLE_MAX + 1));
  assert_int_equal(tabia_bundle_count(b->bundle), STATES);
  test_free(positions);
}

static void close_walk(bundle_walk *b) {
  tabia_bundle_free(b->bundle);
  tabia_machine_close(b->machine);
  test_free(b);
}

static void assert_same_answers(bundle_walk *a, bundle_walk *b) {
  bool ends_a[STATES], ends_b[STATES];
  int32_t goals_a[STATES], goals_b[STATES];
  tabia_bundle_terminal(a->bundle, ends_a);
  tabia_bundle_terminal(b->bundle, ends_b);
  assert_memory_equal(ends_a, ends_b, sizeof ends_a);
  for (uint32_t role = 0; role < ROLES; role++) {
    tabia_bundle_goals(a->bundle, role, goals_a);
    tabia_bundle_goals(b->bundle, role, goals_b);
    assert_memory_equal(goals_a, goals_b, sizeof goals_a);
  }
}

/* Seven moves do not end connect four for all, and the moves are numbered alike. */
static void bundles_of_lanes_are_as_those_of_one_state_at_a_time(void **state) {
  api_fixture *f = *state;
  bundle_walk *lanes = test_calloc(1, sizeof *lanes), *plain = test_calloc(1, sizeof *plain);
  assert_int_equal(tabia_rules_read_file(&f->rules, "games/connect-four.kif", f->log), TABIA_OK);
  open_walk(f, lanes, "lanes");
  open_walk(f, plain, "circuit");
  const size_t bytes = STATES * tabia_position_size(lanes->machine);
  char *left = test_malloc(bytes), *right = test_malloc(bytes);
  for (uint32_t step = 0; step < STEPS; step++) {
    assert_same_answers(lanes, plain);
    assert_int_equal(step_bundle(lanes, step), STATES);
    step_bundle(plain, step);
    assert_memory_equal(lanes->counts, plain->counts, sizeof plain->counts);
    assert_memory_equal(lanes->joints, plain->joints, sizeof plain->joints);
    tabia_bundle_store(lanes->bundle, left);
    tabia_bundle_store(plain->bundle, right);
    assert_memory_equal(left, right, bytes);
  }
  assert_same_answers(lanes, plain);
  assert_int_equal(tabia_bundle_status(lanes->bundle, f->log), TABIA_OK);
  test_free(left);
  test_free(right);
  close_walk(lanes);
  close_walk(plain);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      a_test(games_begin_where_they_are_told),
      a_test(a_terminal_start_is_worth_its_goals),
      a_test(threads_do_not_change_figures),
      a_test(games_without_an_end_in_sight_are_misuse),
      a_test(a_stuck_role_is_told_and_not_counted),
      a_test(games_keep_to_limits),
      a_test(ways_are_counted),
      a_test(counting_tells_where_a_role_is_stuck),
      a_test(bundles_of_lanes_are_as_those_of_one_state_at_a_time),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
