#include "machine/lane_fixture.h"

/* ---- the same games everywhere ---- */

static void assert_same_tally(const bulk_tally *a, const bulk_tally *b, uint32_t goals) {
  assert_int_equal(a->lengths.count, b->lengths.count);
  assert_memory_equal(a->lengths.items, b->lengths.items,
                      a->lengths.count * sizeof *a->lengths.items);
  assert_memory_equal(a->goals, b->goals, goals * sizeof *a->goals);
  assert_int_equal(a->too_long, b->too_long);
  assert_memory_equal(a->faults, b->faults, sizeof a->faults);
  assert_int_equal(a->first.kind, b->first.kind);
  assert_int_equal(a->first.lane, b->first.lane);
  assert_int_equal(a->first.step, b->first.step);
}

static void assert_plays_alike(machine_fixture *f, const char *words) {
  const bulk_part part = {.seed = 5, .number = 3, .starts = 3000, .max_steps = 60};
  open_game(f, words);
  lane_game *first = lane_game_new(f, NET_PLAYS, lane_engine_best(), lane_jit_is_possible());
  const bulk_tally expected = tally_of(f, first, part);
  assert_true(sound_games(&expected) + expected.too_long > 0);
  for (const lane_engine *const *e = lane_engines; *e; e++)
    for (int native = 0; native <= 1 && (*e)->is_supported(); native++) {
      print_message("engine %s%s\n", (*e)->name, native ? ", native code" : "");
      lane_game *l = lane_game_new(f, NET_PLAYS, *e, native);
      const bulk_tally t = tally_of(f, l, part);
      assert_same_tally(&expected, &t, l->g.circuit.goals.count);
      lane_game_free(l);
    }
  lane_game_free(first);
}

static void games_in_turns_are_the_same_on_every_engine(void **state) {
  assert_plays_alike(*state, builtin_text(*state, "connect-four"));
}

static void games_at_once_are_the_same_on_every_engine(void **state) {
  assert_plays_alike(*state, builtin_text(*state, "simultaneous-tic-tac-toe"));
}

static void recursive_games_are_the_same_on_every_engine(void **state) {
  assert_plays_alike(*state, builtin_text(*state, "hex-5"));
}

static const char counter[] =
    "(role r) (init (n 0)) (succ 0 1) (succ 1 2) (succ 2 3) (legal r up) (legal r wait)\n"
    "(<= (next (n ?y)) (true (n ?x)) (succ ?x ?y) (does r up))\n"
    "(<= (next (n ?x)) (true (n ?x)) (does r wait))\n"
    "(<= terminal (true (n 3))) (<= (goal r 100) (true (n 3))) (<= (goal r 0) (not (true (n 3))))";

static void the_seed_and_the_number_of_the_part_decide(void **state) {
  machine_fixture *f = *state;
  open_game(f, counter);
  lane_game *l = lane_game_new(f, NET_PLAYS, lane_engine_best(), false);
  const bulk_part part = {.seed = 1, .number = 1, .starts = 2000};
  const bulk_part other_seed = {.seed = 2, .number = 1, .starts = 2000};
  const bulk_part other_number = {.seed = 1, .number = 2, .starts = 2000};
  const bulk_tally a = tally_of(f, l, part), b = tally_of(f, l, part);
  const bulk_tally c = tally_of(f, l, other_seed), d = tally_of(f, l, other_number);
  assert_same_tally(&a, &b, l->g.circuit.goals.count);
  assert_memory_not_equal(a.lengths.items, c.lengths.items, 5 * sizeof *a.lengths.items);
  assert_memory_not_equal(a.lengths.items, d.lengths.items, 5 * sizeof *a.lengths.items);
  lane_game_free(l);
}

/* What a player has played before does not show. */
static void a_player_begins_every_part_anew(void **state) {
  machine_fixture *f = *state;
  open_game(f, counter);
  lane_game *l = lane_game_new(f, NET_PLAYS, lane_engine_best(), lane_jit_is_possible());
  lane_player *p = lane_player_new(&l->g, &l->net, &l->code, f->keep);
  const bulk_part first = {.seed = 9, .number = 0, .starts = 700, .max_steps = 5};
  const bulk_part second = {.seed = 9, .number = 1, .starts = 1300};
  bulk_tally t[3];
  for (uint32_t i = 0; i < 3; i++) {
    lane_tally_init(&t[i], &l->g.circuit, f->keep);
    assert_true(lane_player_play(p, i == 1 ? &second : &first, &t[i], NULL));
  }
  assert_same_tally(&t[0], &t[2], l->g.circuit.goals.count);
  assert_int_equal(sound_games(&t[0]) + t[0].too_long, 700);
  assert_int_equal(sound_games(&t[1]), 1300);
  lane_game_free(l);
}

/* ---- parts ---- */

static void every_game_that_is_started_is_finished(void **state) {
  static const uint64_t starts[] = {1, 2, 63, 64, 65, 511, 512, 513, 1000, 5000};
  machine_fixture *f = *state;
  open_game(f, counter);
  lane_game *l = lane_game_new(f, NET_PLAYS, lane_engine_best(), lane_jit_is_possible());
  for (size_t i = 0; i < sizeof starts / sizeof *starts; i++) {
    const bulk_tally t = tally_of(f, l, (bulk_part){.seed = i, .starts = starts[i]});
    assert_int_equal(sound_games(&t), starts[i]);
    assert_int_equal(t.too_long, 0);
    uint64_t goals = 0;
    for (uint32_t k = 0; k < l->g.circuit.goals.count; k++) goals += t.goals[k];
    assert_int_equal(goals, starts[i]);
    for (uint32_t k = 0; k < 3; k++) assert_int_equal(t.lengths.items[k], 0);
  }
  lane_game_free(l);
}

/* Short games are not favoured: half of the games last one step, half a hundred. */
static void long_games_count_as_often_as_short_ones(void **state) {
  machine_fixture *f = *state;
  text words = text_new(f->keep);
  text_add(
      &words,
      "(role r) (init begin) (<= (legal r short) (true begin)) (<= (legal r long) (true begin))\n"
      "(<= (legal r go) (not (true begin))) (<= (next end) (does r short))\n"
      "(<= (next (at 1)) (does r long)) (<= (next end) (true (at 99)))\n"
      "(<= (next (at ?y)) (true (at ?x)) (succ ?x ?y)) (<= terminal (true end)) (goal r 1)\n");
  for (int i = 1; i < 99; i++) text_add_format(&words, "(succ %d %d) ", i, i + 1);
  const bulk_tally t = play_part(f, text_string(&words), (bulk_part){.seed = 1, .starts = 20000});
  assert_int_equal(t.lengths.items[1] + t.lengths.items[100], 20000);
  assert_in_range(t.lengths.items[1], 9700, 10300);
}

static void no_game_is_too_long_for_the_largest_limit(void **state) {
  const bulk_tally t =
      play_part(*state, counter, (bulk_part){.seed = 2, .starts = 2000, .max_steps = UINT64_MAX});
  assert_int_equal(t.too_long, 0);
  assert_int_equal(sound_games(&t), 2000);
}

static void a_game_that_is_too_long_is_given_up(void **state) {
  machine_fixture *f = *state;
  const bulk_tally t =
      play_part(f, "(role r) (legal r a) (goal r 1)", (bulk_part){.starts = 777, .max_steps = 10});
  assert_int_equal(t.too_long, 777);
  assert_int_equal(sound_games(&t), 0);
}

static void a_game_that_ends_in_its_last_step_counts(void **state) {
  machine_fixture *f = *state;
  const bulk_part part = {.seed = 3, .starts = 4000, .max_steps = 4};
  const bulk_tally t = play_part(f, counter, part);
  assert_int_equal(sound_games(&t) + t.too_long, 4000);
  assert_int_equal(t.lengths.count, 5);
  assert_in_range(t.lengths.items[3], 400, 600); /* one eighth */
  assert_in_range(t.lengths.items[4], 650, 850); /* three sixteenths */
  assert_in_range(t.too_long, 2600, 2900);
}

static void a_game_that_is_over_at_its_start_has_no_length(void **state) {
  machine_fixture *f = *state;
  const bulk_tally t =
      play_part(f, "(role r) (legal r a) (goal r 5) (init x) (<= terminal (true x))",
                (bulk_part){.starts = 1234});
  assert_int_equal(t.lengths.count, 1);
  assert_int_equal(t.lengths.items[0], 1234);
}

static void a_spent_budget_stops_a_part(void **state) {
  machine_fixture *f = *state;
  open_game(f, "(role r) (legal r a) (goal r 1)");
  lane_game *l = lane_game_new(f, NET_PLAYS, lane_engine_best(), lane_jit_is_possible());
  lane_player *p = lane_player_new(&l->g, &l->net, &l->code, f->keep);
  bulk_tally t;
  budget b = budget_new(0.01, 0);
  const bulk_part part = {.starts = 1000};
  lane_tally_init(&t, &l->g.circuit, f->keep);
  assert_false(lane_player_play(p, &part, &t, &b));
  assert_int_equal(sound_games(&t), 0);
  lane_game_free(l);
}

static void a_spent_budget_stops_a_recording(void **state) {
  machine_fixture *f = *state;
  open_game(f, "(role r) (legal r a) (goal r 1)");
  lane_game *l = lane_game_new(f, NET_RECORDS, lane_engine_best(), lane_jit_is_possible());
  lane_player *p = lane_player_new(&l->g, &l->net, &l->code, f->keep);
  const bulk_part part = {.starts = 1000};
  id_vec line = {0};
  budget b = budget_new(0.01, 0);
  assert_true(lane_player_record_first(p, &part, 3, 100, &line, f->keep, NULL));
  assert_int_equal(line.count, 100);
  assert_false(lane_player_record_first(p, &part, 3, UINT64_MAX, &line, f->keep, &b));
  lane_game_free(l);
}

/* ---- faults ---- */

/* Plays the game of a lane, as it is after so many steps of the part, on machine `reference`.
   Returns its length. */
static uint64_t play_again(machine_fixture *f, const bulk_part *part, uint32_t lane,
                           uint64_t steps) {
  lane_game *l = lane_game_new(f, NET_RECORDS, lane_engine_best(), lane_jit_is_possible());
  lane_player *p = lane_player_new(&l->g, &l->net, &l->code, f->keep);
  const uint32_t roles = f->m->role_count;
  id_vec line = {0};
  lane_player_record(p, part, lane, steps, &line, f->keep, NULL);
  move_id *joint = arena_new_array(f->keep, move_id, roles);
  for (uint32_t i = 0; i < line.count; i += roles) {
    assert_false(machine_terminal(f->m, f->w, f->position));
    for (uint32_t role = 0; role < roles; role++) {
      text words = text_new(f->keep);
      grounded_move_text(&l->g, role, line.items[i + role], &words);
      joint[role] = move_named(f, role, text_string(&words));
    }
    machine_step(f->m, f->w, f->position, joint, f->position);
  }
  lane_game_free(l);
  return line.count / roles;
}

/* The state in which the first fault of the part was met. */
static void seek_fault(machine_fixture *f, const bulk_part *part, const bulk_fault *fault) {
  assert_int_equal(play_again(f, part, fault->lane, fault->step), fault->step - fault->begun);
}

/* Three dice; a role cannot move after a six and a five. */
static const char stuck[] =
    "(role r) (role q) (init (n 0)) (face 1) (face 2) (face 3) (face 4) (face 5) (face 6)\n"
    "(<= (legal ?r (throw ?x)) (role ?r) (face ?x) (not (blocked ?r)))\n"
    "(<= (blocked q) (true (shows r 6)) (true (shows q 5)))\n"
    "(<= (next (shows ?r ?x)) (does ?r (throw ?x)))\n"
    "(<= terminal (true (shows r ?x)) (true (shows q ?x))) (goal r 1) (goal q 1)";

static void a_role_that_cannot_move_is_found(void **state) {
  machine_fixture *f = *state;
  const bulk_part part = {.seed = 4, .number = 2, .starts = 3000};
  const bulk_tally t = play_part(f, stuck, part);
  assert_int_equal(t.first.kind, FAULT_STUCK);
  assert_int_equal(t.first.role, 1);
  assert_int_equal(sound_games(&t) + t.faults[FAULT_STUCK], 3000);
  assert_in_range(t.faults[FAULT_STUCK], 350, 510); /* one in seven */
  seek_fault(f, &part, &t.first);
  assert_string_equal(fluents_now(f), "(shows q 5) (shows r 6)");
  assert_string_equal(moves_now(f, 1), "");
}

static const char no_goal[] =
    "(role q) (role r) (legal q wait) (legal r (m 1)) (legal r (m 2)) (legal r (m 3))\n"
    "(<= (next (did ?x)) (does r (m ?x))) (<= (next (did ?x)) (true (did ?x)))\n"
    "(<= terminal (true (did 1)) (true (did 2))) (goal q 0)\n"
    "(<= (goal r 100) (not (true (did 3))))";

static void a_role_without_a_goal_is_found(void **state) {
  machine_fixture *f = *state;
  const bulk_part part = {.seed = 6, .starts = 900};
  const bulk_tally t = play_part(f, no_goal, part);
  assert_int_equal(t.first.kind, FAULT_NO_GOAL);
  assert_int_equal(t.first.role, 1);
  assert_int_equal(sound_games(&t) + t.faults[FAULT_NO_GOAL], 900);
  seek_fault(f, &part, &t.first);
  assert_true(machine_terminal(f->m, f->w, f->position));
  assert_string_equal(goals_now(f, 1), "");
  assert_string_equal(fluents_now(f), "(did 1) (did 2) (did 3)");
}

static void a_role_with_several_goals_is_found(void **state) {
  machine_fixture *f = *state;
  text words = text_new(f->keep);
  text_add_format(&words, "%s (<= (goal q 7) (true (did 3))) (<= (goal r 50) (true (did 3)))",
                  no_goal);
  const bulk_part part = {.seed = 6, .starts = 900};
  const bulk_tally t = play_part(f, text_string(&words), part);
  assert_int_equal(t.first.kind, FAULT_SEVERAL_GOALS);
  assert_int_equal(t.first.role, 0);
  assert_int_equal(t.faults[FAULT_NO_GOAL], 0);
  assert_int_equal(sound_games(&t) + t.faults[FAULT_SEVERAL_GOALS], 900);
  seek_fault(f, &part, &t.first);
  assert_true(machine_terminal(f->m, f->w, f->position));
  assert_string_equal(goals_now(f, 0), "0 7");
}

/* ---- targets ---- */

/* Seeks ends in which the role has this goal. */
static lane_meeting sought(machine_fixture *f, const lane_engine *engine, bool native,
                           const bulk_part *part, int32_t goal) {
  lane_meeting met;
  uint32_t target = 0;
  lane_game *l = lane_game_ground(f);
  for (uint32_t i = 0; i < l->g.circuit.goals.count; i++)
    vec_push(l->g.keep, &l->g.circuit.targets, l->g.circuit.goals.items[i].holds);
  while (l->g.goal_values[target] != goal) target++;
  lane_game_build(l, NET_PLAYS, engine, native);
  lane_player *p = lane_player_new(NULL, &l->net, &l->code, f->keep);
  assert_true(lane_player_seek(p, part, target, &met, NULL));
  lane_game_free(l);
  return met;
}

/* Six throws of a coin; all heads in one game of 64. */
static const char coins[] =
    "(role r) (init (n 0)) (init good) (follows 0 1) (follows 1 2) (follows 2 3) (follows 3 4)\n"
    "(follows 4 5) (follows 5 6) (legal r head) (legal r tail) (<= terminal (true (n 6)))\n"
    "(<= (next (n ?y)) (true (n ?x)) (follows ?x ?y))\n"
    "(<= (next good) (true good) (does r head)) (<= (next bad) (does r tail))\n"
    "(<= (next bad) (true bad)) (<= (goal r 0) (true bad)) (<= (goal r 100) (not (true bad)))";

static void an_end_with_a_target_is_found(void **state) {
  machine_fixture *f = *state;
  const bulk_part part = {.seed = 3, .starts = 2000};
  open_game(f, coins);
  const lane_meeting met = sought(f, lane_engine_best(), lane_jit_is_possible(), &part, 100);
  assert_true(met.is_met);
  assert_int_equal(play_again(f, &part, met.lane, met.step), 6);
  assert_string_equal(goals_now(f, 0), "100");
  for (const lane_engine *const *e = lane_engines; *e; e++) {
    if (!(*e)->is_supported()) continue;
    const lane_meeting same = sought(f, *e, false, &part, 100);
    assert_true(same.is_met && same.lane == met.lane && same.step == met.step);
  }
}

static void a_target_that_no_game_meets_is_not_found(void **state) {
  machine_fixture *f = *state;
  const bulk_part part = {.seed = 3, .starts = 2000};
  open_game(f, "(role r) (init p) (legal r a) (<= (next q) (does r a)) (<= terminal (true q))\n"
               "(<= (goal r 100) (true p)) (<= (goal r 50) (true q))");
  assert_false(sought(f, lane_engine_best(), lane_jit_is_possible(), &part, 100).is_met);
  assert_true(sought(f, lane_engine_best(), lane_jit_is_possible(), &part, 50).is_met);
}

/* Every line that is recorded can be played, whichever its lane. */
static void recorded_games_can_be_played(void **state) {
  machine_fixture *f = *state;
  open_game(f, builtin_text(f, "tic-tac-toe"));
  const bulk_part part = {.seed = 8, .starts = 2000};
  for (uint32_t lane = 0; lane < LANES; lane += 37) {
    const bulk_fault at = {.lane = lane, .begun = 0, .step = 5};
    machine_start(f->m, f->position);
    seek_fault(f, &part, &at);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      a_test(games_in_turns_are_the_same_on_every_engine),
      a_test(games_at_once_are_the_same_on_every_engine),
      a_test(recursive_games_are_the_same_on_every_engine),
      a_test(the_seed_and_the_number_of_the_part_decide),
      a_test(a_player_begins_every_part_anew),
      a_test(every_game_that_is_started_is_finished),
      a_test(long_games_count_as_often_as_short_ones),
      a_test(no_game_is_too_long_for_the_largest_limit),
      a_test(a_game_that_is_too_long_is_given_up),
      a_test(a_game_that_ends_in_its_last_step_counts),
      a_test(a_game_that_is_over_at_its_start_has_no_length),
      a_test(a_spent_budget_stops_a_part),
      a_test(a_spent_budget_stops_a_recording),
      a_test(a_role_that_cannot_move_is_found),
      a_test(a_role_without_a_goal_is_found),
      a_test(a_role_with_several_goals_is_found),
      a_test(an_end_with_a_target_is_found),
      a_test(a_target_that_no_game_meets_is_not_found),
      a_test(recorded_games_can_be_played),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
