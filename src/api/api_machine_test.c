/* Machines and positions through tabia.h. */
#include "api/api_fixture.h"

#include <pthread.h>

static const char *const kinds[] = {"lanes", "circuit", "datalog", "reference"};
enum { KINDS = sizeof kinds / sizeof *kinds, TEXT_MAX = 64 };

/* ---- opening ---- */

static void an_unknown_kind_is_misuse_with_a_proposal(void **state) {
  api_fixture *f = *state;
  assert_int_equal(read_text(f, COUNTING_GAME), TABIA_OK);
  assert_int_equal(tabia_machine_open(&f->machine, f->rules, "lames", NULL, f->log), TABIA_MISUSE);
  assert_null(f->machine);
  assert_says(f, "there is no machine `lames`; did you mean `lanes`?");
}

static void kinds_are_listed(void **state) {
  (void)state;
  assert_true(tabia_kind_count() >= KINDS);
  assert_false(tabia_kind_needs_device(0));
  assert_true(tabia_kind_needs_device(tabia_kind_count() - 1));
  assert_string_equal(tabia_kind_name(0), "lanes");
  assert_non_null(tabia_kind_summary(0));
  assert_null(tabia_kind_name(tabia_kind_count()));
}

static void auto_takes_what_the_purpose_asks(void **state) {
  api_fixture *f = *state;
  open_game(f, COUNTING_GAME, "auto");
  assert_string_equal(tabia_machine_kind(f->machine), "circuit");
  tabia_machine_close(f->machine);
  assert_int_equal(tabia_machine_open(&f->machine, f->rules, "auto-many", NULL, f->log), TABIA_OK);
  assert_string_equal(tabia_machine_kind(f->machine), "lanes");
}

static void opening_keeps_to_its_time(void **state) {
  api_fixture *f = *state;
  assert_int_equal(tabia_rules_read_file(&f->rules, "games/chess.kif", f->log), TABIA_OK);
  tabia_limits_set_seconds(f->limits, 1e-6);
  assert_int_equal(tabia_machine_open(&f->machine, f->rules, "lanes", f->limits, f->log),
                   TABIA_LIMIT);
  assert_null(f->machine);
  assert_says(f, "[E801]");
}

static void a_set_flag_interrupts(void **state) {
  api_fixture *f = *state;
  const volatile sig_atomic_t flag = 1;
  assert_int_equal(tabia_rules_read_file(&f->rules, "games/chess.kif", f->log), TABIA_OK);
  tabia_limits_set_interrupt(f->limits, &flag);
  assert_int_equal(tabia_machine_open(&f->machine, f->rules, "circuit", f->limits, f->log),
                   TABIA_LIMIT);
  assert_says(f, "[E803]");
}

static void a_game_is_read_and_opened_in_one_call(void **state) {
  api_fixture *f = *state;
  assert_int_equal(tabia_machine_open_game(&f->machine, "tic-tac-toe", "circuit", NULL, f->log),
                   TABIA_OK);
  assert_string_equal(tabia_machine_role(f->machine, 1), "o");
  tabia_machine_close(f->machine);
  assert_int_equal(tabia_machine_open_game(&f->machine, "no such game", "auto", NULL, f->log),
                   TABIA_UNREADABLE);
  assert_null(f->machine);
  assert_int_equal(tabia_machine_open_game(&f->machine, "tic-tac-toe", "none", NULL, f->log),
                   TABIA_MISUSE);
  assert_null(f->machine);
}

static void rules_may_go_before_the_machine(void **state) {
  api_fixture *f = *state;
  unsigned char position[POSITION_MAX];
  open_game(f, COUNTING_GAME, "reference");
  tabia_rules_free(f->rules);
  f->rules = NULL;
  tabia_workspace *w = tabia_workspace_new(f->machine, NULL);
  tabia_position_start(f->machine, position);
  assert_false(tabia_position_terminal(w, position));
  tabia_workspace_free(w);
}

static void sizes_are_those_of_the_ground_game(void **state) {
  api_fixture *f = *state;
  open_game(f, COUNTING_GAME, "circuit");
  assert_int_equal(tabia_machine_size(f->machine, TABIA_SIZE_FLUENTS), 5);
  assert_int_equal(tabia_machine_size(f->machine, TABIA_SIZE_MOVES), 2);
  assert_true(tabia_machine_size(f->machine, TABIA_SIZE_GATES) > 0);
  assert_true(tabia_machine_size(f->machine, TABIA_SIZE_GROUND_RULES) >= 9);
  tabia_machine_close(f->machine);
  tabia_machine_open(&f->machine, f->rules, "reference", NULL, f->log);
  assert_int_equal(tabia_machine_size(f->machine, TABIA_SIZE_GATES), 0);
}

/* ---- playing ---- */

static tabia_move move_named(tabia_workspace *w, const void *position, const char *words) {
  tabia_move move = 0;
  assert_true(tabia_move_find(w, position, 0, words, &move));
  return move;
}

static void assert_sees(api_fixture *f, tabia_workspace *w, const void *position, tabia_move move,
                        const char *words) {
  tabia_percept percept;
  char seen[TEXT_MAX];
  assert_int_equal(tabia_position_sees(w, position, &move, 0, &percept, 1), 1);
  tabia_percept_text(f->machine, 0, percept, seen, sizeof seen);
  assert_string_equal(seen, words);
}

static void play_the_counting_game(api_fixture *f) {
  unsigned char position[POSITION_MAX], start[POSITION_MAX];
  const size_t size = tabia_position_size(f->machine);
  tabia_workspace *w = tabia_workspace_new(f->machine, NULL);
  tabia_move moves[4];
  assert_true(size <= sizeof position);
  tabia_position_start(f->machine, start);
  const tabia_move go = move_named(w, start, "go"), stop = move_named(w, start, "stop");
  assert_int_equal(tabia_position_legal(w, start, 0, moves, 4), 2);
  assert_int_equal(moves[0], go);
  assert_sees(f, w, start, go, "(was 0)");
  tabia_position_step(w, start, &go, position);
  assert_memory_not_equal(start, position, size);
  assert_true(tabia_position_hash(f->machine, start) != tabia_position_hash(f->machine, position));
  assert_false(tabia_position_terminal(w, position));
  tabia_position_step(w, position, &stop, position);
  assert_true(tabia_position_terminal(w, position));
  assert_int_equal(tabia_position_goal(w, position, 0), 40);
  int32_t goals[2];
  assert_int_equal(tabia_position_goals(w, position, 0, goals, 2), 1);
  assert_int_equal(goals[0], 40);
  assert_int_equal(tabia_workspace_status(w, f->log), TABIA_OK);
  tabia_workspace_free(w);
}

static void every_machine_plays(void **state) {
  api_fixture *f = *state;
  assert_int_equal(read_text(f, COUNTING_GAME), TABIA_OK);
  for (int i = 0; i < KINDS; i++) {
    assert_int_equal(tabia_machine_open(&f->machine, f->rules, kinds[i], NULL, f->log), TABIA_OK);
    assert_int_equal(tabia_machine_role_count(f->machine), 1);
    assert_string_equal(tabia_machine_role(f->machine, 0), "robot");
    play_the_counting_game(f);
    tabia_machine_close(f->machine);
    f->machine = NULL;
  }
}

typedef struct heard {
  uint32_t calls;
  char what[64];
} heard;

static void hear(void *context, const char *what, double done, double whole) {
  heard *h = context;
  (void)done, (void)whole;
  h->calls++;
  strncpy(h->what, what, sizeof h->what - 1);
}

/* Some tenths of a second pass before anybody is told. */
static void long_work_tells_how_far_it_is(void **state) {
  api_fixture *f = *state;
  heard h = {0};
  open_file(f, "games/tic-tac-toe.kif", "reference");
  assert_true(tabia_machine_open_seconds(f->machine) >= 0);
  tabia_playouts *p = tabia_playouts_new(f->machine);
  tabia_limits_set_progress(f->limits, hear, &h);
  tabia_playouts_set_seconds(p, 1);
  assert_int_equal(tabia_playouts_run(p, f->limits, f->log), TABIA_OK);
  assert_true(h.calls > 0);
  assert_string_not_equal(h.what, "");
  tabia_playouts_free(p);
}

static void texts_are_cut_to_their_room(void **state) {
  api_fixture *f = *state;
  unsigned char position[POSITION_MAX];
  tabia_fluent fluent;
  char words[TEXT_MAX];
  open_game(f, COUNTING_GAME, "circuit");
  tabia_position_start(f->machine, position);
  assert_int_equal(tabia_position_fluents(f->machine, position, &fluent, 1), 1);
  assert_int_equal(tabia_fluent_text(f->machine, fluent, words, sizeof words), 6);
  assert_string_equal(words, "(at 0)");
  assert_int_equal(tabia_fluent_text(f->machine, fluent, words, 4), 6);
  assert_string_equal(words, "(at");
  assert_int_equal(tabia_fluent_text(f->machine, fluent, NULL, 0), 6);
}

static void a_move_that_is_not_legal_is_not_found(void **state) {
  api_fixture *f = *state;
  unsigned char position[POSITION_MAX];
  tabia_move move;
  open_game(f, COUNTING_GAME, "circuit");
  tabia_workspace *w = tabia_workspace_new(f->machine, NULL);
  tabia_position_start(f->machine, position);
  assert_false(tabia_move_find(w, position, 0, "jump", &move));
  tabia_workspace_free(w);
}

static void a_workspace_tells_its_trouble(void **state) {
  api_fixture *f = *state;
  const volatile sig_atomic_t flag = 1;
  open_file(f, "games/chess.kif", "reference");
  unsigned char *position = test_malloc(tabia_position_size(f->machine));
  tabia_limits_set_interrupt(f->limits, &flag);
  tabia_workspace *w = tabia_workspace_new(f->machine, f->limits);
  tabia_position_start(f->machine, position);
  tabia_position_legal(w, position, 0, NULL, 0);
  assert_true(tabia_position_terminal(w, position));
  assert_int_equal(tabia_position_goal(w, position, 0), TABIA_NO_GOAL);
  assert_int_equal(tabia_workspace_status(w, f->log), TABIA_LIMIT);
  assert_says(f, "[E803]");
  tabia_workspace_free(w);
  test_free(position);
}

/* ---- two machines ---- */

/* So an array of positions is aligned as each of them has to be. */
static void positions_take_whole_words(void **state) {
  static const char *const games[] = {"tic-tac-toe", "connect-four", "nim", "chess"};
  api_fixture *f = *state;
  for (uint32_t g = 0; g < 4; g++) {
    assert_int_equal(tabia_rules_read(&f->rules, games[g], f->log), TABIA_OK);
    for (uint32_t k = 0; k < KINDS; k++) {
      assert_int_equal(tabia_machine_open(&f->machine, f->rules, kinds[k], NULL, f->log), TABIA_OK);
      assert_int_equal(tabia_position_size(f->machine) % 8, 0);
      tabia_machine_close(f->machine);
      f->machine = NULL;
    }
    tabia_rules_free(f->rules);
    f->rules = NULL;
  }
}

static void circuit_and_lanes_share_positions(void **state) {
  api_fixture *f = *state;
  tabia_machine *lanes, *reference;
  open_file(f, "games/connect-four.kif", "circuit");
  tabia_machine_open(&lanes, f->rules, "lanes", NULL, f->log);
  tabia_machine_open(&reference, f->rules, "reference", NULL, f->log);
  assert_true(tabia_machine_shares_positions(f->machine, lanes));
  assert_false(tabia_machine_shares_positions(f->machine, reference));
  tabia_machine_close(reference);
  tabia_machine_close(lanes);
}

static void machines_are_compared(void **state) {
  api_fixture *f = *state;
  tabia_rules *other_rules;
  tabia_machine *other;
  const char changed[] = COUNTING_GAME "(<= (legal robot jump) (true (at 2)))";
  open_game(f, COUNTING_GAME, "reference");
  tabia_comparison *c = tabia_comparison_new();
  tabia_comparison_set_seed(c, 1);
  tabia_comparison_set_games(c, 5);
  tabia_comparison_set_max_steps(c, 100);
  tabia_machine_open(&other, f->rules, "lanes", NULL, f->log);
  assert_int_equal(tabia_comparison_run(c, f->machine, other, NULL, f->log), TABIA_OK);
  assert_int_equal(tabia_comparison_games(c), 5);
  assert_null(tabia_comparison_difference(c));
  tabia_comparison_set_states(c, 30);
  tabia_comparison_set_ignore_terminal(c, true);
  assert_int_equal(tabia_comparison_run(c, f->machine, other, NULL, f->log), TABIA_OK);
  assert_int_equal(tabia_comparison_states(c), 30);
  tabia_machine_close(other);
  tabia_rules_read_text(&other_rules, "other", changed, strlen(changed), f->log);
  tabia_machine_open(&other, other_rules, "circuit", NULL, f->log);
  assert_int_equal(tabia_comparison_run(c, f->machine, other, NULL, f->log), TABIA_FAULTY);
  assert_says(f, "+jump");
  assert_non_null(strstr(tabia_comparison_difference(c), "+jump"));
  tabia_comparison_free(c);
  tabia_machine_close(other);
  tabia_rules_free(other_rules);
}

/* ---- threads ---- */

enum { THREADS = 4, WALKS = 20 };

typedef struct walker {
  const tabia_rules *rules;
  const tabia_machine *machine;
  pthread_t thread;
  uint64_t steps;
  uint64_t sum; /* of the hashes of all positions */
} walker;

static void walk_once(walker *x, tabia_workspace *w, uint32_t number) {
  unsigned char position[POSITION_MAX];
  tabia_move joint[2], moves[64];
  tabia_position_start(x->machine, position);
  while (!tabia_position_terminal(w, position)) {
    for (uint32_t role = 0; role < 2; role++) {
      const uint32_t count = tabia_position_legal(w, position, role, moves, 64);
      joint[role] = moves[(x->steps + number) % count];
    }
    tabia_position_step(w, position, joint, position);
    x->sum += tabia_position_hash(x->machine, position);
    x->steps++;
  }
}

/* Opens a machine of its own as well: nothing that it shares with others may change. */
static void *walk(void *context) {
  walker *x = context;
  tabia_machine *own;
  tabia_workspace *w = tabia_workspace_new(x->machine, NULL);
  if (tabia_machine_open(&own, x->rules, "circuit", NULL, NULL) == TABIA_OK) {
    for (uint32_t i = 0; i < WALKS; i++) walk_once(x, w, i);
    tabia_machine_close(own);
  }
  tabia_workspace_free(w);
  return NULL;
}

static void threads_share_rules_and_machines(void **state) {
  api_fixture *f = *state;
  assert_int_equal(tabia_rules_read_file(&f->rules, "games/tic-tac-toe.kif", f->log), TABIA_OK);
  for (int kind = 0; kind < KINDS; kind++) {
    walker walkers[THREADS];
    tabia_machine_open(&f->machine, f->rules, kinds[kind], NULL, f->log);
    for (int i = 0; i < THREADS; i++) {
      walkers[i] = (walker){.rules = f->rules, .machine = f->machine};
      assert_int_equal(pthread_create(&walkers[i].thread, NULL, walk, &walkers[i]), 0);
    }
    for (int i = 0; i < THREADS; i++) {
      pthread_join(walkers[i].thread, NULL);
      assert_in_range(walkers[i].steps, 5 * WALKS, 9 * WALKS);
      assert_true(walkers[i].sum == walkers[0].sum);
    }
    tabia_machine_close(f->machine);
  }
  f->machine = NULL;
}

/* ---- traces ---- */

static void a_trace_is_right_until_it_is_changed(void **state) {
  api_fixture *f = *state;
  tabia_comparison *c = tabia_comparison_new();
  open_file(f, "games/tic-tac-toe.kif", "circuit");
  assert_int_equal(tabia_trace_write(f->machine, "tic-tac-toe", 7, 100, NULL, collect, f, f->log),
                   TABIA_OK);
  assert_int_equal(tabia_comparison_replay(c, f->machine, f->words, f->length, NULL, f->log),
                   TABIA_OK);
  assert_in_range(tabia_comparison_states(c), 6, 10);
  char *count = strstr(f->words, "\"fluents\":");
  assert_non_null(count);
  count += strlen("\"fluents\":");
  *count = '9';
  assert_int_equal(tabia_comparison_replay(c, f->machine, f->words, f->length, NULL, f->log),
                   TABIA_FAULTY);
  assert_says(f, "the trace is wrong, step 0");
  assert_int_equal(tabia_comparison_replay(c, f->machine, "{", 1, NULL, f->log), TABIA_UNREADABLE);
  tabia_comparison_free(c);
}

static void a_trace_that_is_cut_says_so(void **state) {
  api_fixture *f = *state;
  open_file(f, "games/tic-tac-toe.kif", "circuit");
  assert_int_equal(tabia_trace_write(f->machine, "game", 1, 2, NULL, collect, f, f->log), TABIA_OK);
  assert_int_equal(tabia_message_severity(f->log, 0), TABIA_WARNING);
  assert_says(f, "stopped after 2 steps");
}

/* A circuit never looks at limits for one state. */
static void a_comparison_keeps_to_its_limits(void **state) {
  api_fixture *f = *state;
  const volatile sig_atomic_t flag = 1;
  tabia_comparison *c = tabia_comparison_new();
  open_game(f, COUNTING_GAME, "circuit");
  tabia_limits_set_interrupt(f->limits, &flag);
  tabia_comparison_set_games(c, 1000);
  assert_int_equal(tabia_comparison_run(c, f->machine, f->machine, f->limits, f->log), TABIA_LIMIT);
  assert_true(tabia_comparison_games(c) < 1000);
  assert_says(f, "stopped: not all states were compared [E803]");
  tabia_comparison_free(c);
}

static void the_game_of_a_lane_is_a_trace(void **state) {
  api_fixture *f = *state;
  tabia_comparison *c = tabia_comparison_new();
  open_file(f, "games/tic-tac-toe.kif", "lanes");
  assert_int_equal(tabia_trace_write_lane(f->machine, "game", 5, 3, 1000, NULL, collect, f, f->log),
                   TABIA_OK);
  assert_int_equal(tabia_comparison_replay(c, f->machine, f->words, f->length, NULL, f->log),
                   TABIA_OK);
  assert_int_equal(
      tabia_trace_write_lane(f->machine, "game", 5, 512, 1000, NULL, collect, f, f->log),
      TABIA_MISUSE);
  assert_says(f, "only the machine `lanes` has lanes, 0 to 511");
  tabia_comparison_free(c);
}

static void the_trace_of_a_lane_ends_where_a_role_has_no_move_at_all(void **state) {
  api_fixture *f = *state;
  open_game(f, "(role robot) (init here)", "lanes");
  assert_int_equal(tabia_trace_write_lane(f->machine, "game", 1, 0, 9, NULL, collect, f, f->log),
                   TABIA_FAULTY);
  assert_says(f, "robot has no legal move");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      a_test(an_unknown_kind_is_misuse_with_a_proposal),
      a_test(kinds_are_listed),
      a_test(auto_takes_what_the_purpose_asks),
      a_test(opening_keeps_to_its_time),
      a_test(a_set_flag_interrupts),
      a_test(a_game_is_read_and_opened_in_one_call),
      a_test(rules_may_go_before_the_machine),
      a_test(sizes_are_those_of_the_ground_game),
      a_test(every_machine_plays),
      a_test(long_work_tells_how_far_it_is),
      a_test(texts_are_cut_to_their_room),
      a_test(a_move_that_is_not_legal_is_not_found),
      a_test(a_workspace_tells_its_trouble),
      a_test(positions_take_whole_words),
      a_test(circuit_and_lanes_share_positions),
      a_test(machines_are_compared),
      a_test(threads_share_rules_and_machines),
      a_test(a_trace_is_right_until_it_is_changed),
      a_test(a_trace_that_is_cut_says_so),
      a_test(a_comparison_keeps_to_its_limits),
      a_test(the_game_of_a_lane_is_a_trace),
      a_test(the_trace_of_a_lane_ends_where_a_role_has_no_move_at_all),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
