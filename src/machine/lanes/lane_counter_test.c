#include "machine/lanes/lane_counter.h"

#include "machine/lane_fixture.h"

static const char *const games[] = {"connect-four", "simultaneous-tic-tac-toe", "hex-5"};

static void assert_same_figures(const bulk_tally *a, const bulk_tally *b, uint32_t goals) {
  assert_int_equal(a->lengths.count, b->lengths.count);
  assert_memory_equal(a->lengths.items, b->lengths.items,
                      a->lengths.count * sizeof *a->lengths.items);
  assert_memory_equal(a->goals, b->goals, goals * sizeof *a->goals);
  assert_int_equal(a->too_long, b->too_long);
}

static void games_are_the_same_on_every_engine(void **state) {
  machine_fixture *f = *state;
  const bulk_part part = {.seed = 5, .number = 3, .starts = 3000, .max_steps = 60, .counter = true};
  for (uint32_t i = 0; i < sizeof games / sizeof *games; i++) {
    const bulk_tally expected = play_part(f, builtin_text(f, games[i]), part);
    assert_int_equal(sound_games(&expected) + expected.too_long, 3000);
    for (const lane_engine *const *e = lane_engines; *e; e++) {
      if (!(*e)->is_supported()) continue;
      lane_game *l = lane_game_new(f, NET_PLAYS, *e, false);
      const bulk_tally t = tally_of(f, l, part);
      assert_same_figures(&expected, &t, l->g.circuit.goals.count);
      lane_game_free(l);
    }
  }
}

static void every_game_that_is_started_is_finished(void **state) {
  static const uint64_t starts[] = {1, 15, 16, 17, 511, 512, 513, 5000};
  machine_fixture *f = *state;
  for (uint32_t i = 0; i < sizeof starts / sizeof *starts; i++) {
    const bulk_part part = {.seed = i, .starts = starts[i], .counter = true};
    const bulk_tally t = play_part(f, builtin_text(f, "tic-tac-toe"), part);
    assert_int_equal(sound_games(&t), starts[i]);
  }
}

/* The first game of a lane, with so many games in the part. */
static id_vec first_game(machine_fixture *f, uint32_t lane, bulk_part part) {
  lane_game *l = lane_game_new(f, NET_RECORDS, lane_engine_best(), lane_jit_is_possible());
  lane_player *p = lane_player_new(&l->g, &l->net, &l->code, f->keep);
  id_vec line = {0};
  assert_true(lane_player_record_first(p, &part, lane, 100, &line, f->keep, NULL));
  lane_game_free(l);
  return line;
}

static void the_seed_and_the_part_decide_and_not_the_number_of_games(void **state) {
  machine_fixture *f = *state;
  open_builtin(f, "connect-four");
  const bulk_part part = {.seed = 7, .number = 2, .starts = 512, .counter = true};
  bulk_part larger = part, other_seed = part, other_part = part;
  larger.starts = 5120;
  other_seed.seed = 8;
  other_part.number = UINT64_C(2) + (UINT64_C(1) << 32);
  const id_vec a = first_game(f, 40, part), b = first_game(f, 40, larger);
  assert_int_equal(a.count, b.count);
  assert_memory_equal(a.items, b.items, a.count * sizeof *a.items);
  const bulk_part others[] = {other_seed, other_part};
  for (uint32_t i = 0; i < 2; i++) {
    const id_vec c = first_game(f, 40, others[i]);
    assert_true(c.count != a.count || memcmp(a.items, c.items, a.count * sizeof *a.items) != 0);
  }
}

/* Three moves, which 8 spare bits cannot be shared out among evenly: lanes draw again. */
static void moves_are_drawn_evenly(void **state) {
  machine_fixture *f = *state;
  const bulk_part part = {.seed = 1, .starts = 90000, .counter = true};
  const bulk_tally t = play_part(
      f,
      "(role r) (init begin) (legal r a) (legal r b) (legal r c) (<= (next (did ?m)) (does r ?m))\n"
      "(<= terminal (true (did ?m))) (<= (goal r 1) (true (did a)))\n"
      "(<= (goal r 2) (true (did b))) (<= (goal r 3) (true (did c)))",
      part);
  uint32_t seen = 0;
  for (uint32_t i = 0; i < 3; i++) seen += t.goals[i] > 29400 && t.goals[i] < 30600;
  assert_int_equal(seen, 3);
}

static void shares_add_up(void **state) {
  (void)state;
  for (uint64_t starts = 0; starts < 100; starts++) {
    uint64_t sum = 0;
    for (uint32_t word = 0; word < COUNTER_WORDS; word++) sum += lane_counter_share(starts, word);
    assert_int_equal(sum, starts);
  }
}

#define a_test(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void) {
  const struct CMUnitTest tests[] = {
      a_test(games_are_the_same_on_every_engine),
      a_test(every_game_that_is_started_is_finished),
      a_test(the_seed_and_the_part_decide_and_not_the_number_of_games),
      a_test(moves_are_drawn_evenly),
      cmocka_unit_test(shares_add_up),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
