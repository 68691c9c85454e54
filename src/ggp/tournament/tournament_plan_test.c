#include "ggp/ggp_fixture.h"
#include "ggp/tournament/tournament_plan.h"

static tournament_plan read_well(const char *words) {
  tournament_plan p;
  const char *why;
  assert_true(tournament_plan_read(&p, slice_of(words), test_arena, &why));
  return p;
}

static const char *fault_of(const char *words) {
  tournament_plan p;
  const char *why;
  assert_false(tournament_plan_read(&p, slice_of(words), test_arena, &why));
  return why;
}

static void reads_every_line(void **state) {
  (void)state;
  const tournament_plan p = read_well("# a plan\n"
                                      "games nim chess # two\n"
                                      "games mine/game.kif\r\n"
                                      "player uct\n"
                                      "player strong tabia threads=2 iterations=100\n"
                                      "player rival localhost:9147\n"
                                      "clocks 10 2.5\ngrace 0\nrounds 3\nmatches 2\ncores 1\n"
                                      "sprt -5 5\nscramble\nseed 7");
  assert_int_equal(p.games.count, 3);
  assert_string_equal(p.games.items[2], "mine/game.kif");
  assert_int_equal(p.players.count, 3);
  assert_int_equal(p.players.items[0].mind.kind, MIND_UCT);
  assert_int_equal(p.players.items[1].mind.threads, 2);
  assert_int_equal(p.players.items[1].mind.iterations, 100);
  assert_string_equal(p.players.items[2].address, "localhost:9147");
  assert_true(p.start_clock == 10 && p.play_clock == 2.5 && p.grace == 0 && p.sprt_low == -5);
  assert_true(p.rounds == 3 && p.matches == 2 && p.cores == 1 && p.seed == 7 && p.is_scrambled);
}

static void says_what_is_wrong_and_where(void **state) {
  (void)state;
  assert_string_equal(fault_of("games nim\nrond 3"), "line 2: there is no `rond` in a plan");
  assert_string_equal(fault_of("games nim\n\nclocks 10"), "line 3: `clocks` needs a number");
  assert_string_equal(fault_of("rounds 1.5"), "line 1: `1.5` is not a whole number");
  assert_string_equal(fault_of("player x nobody"),
                      "line 1: a player is HOST:PORT, random, legal, uct or tabia, not `nobody`");
  assert_string_equal(fault_of("player uct\nplayer uct"),
                      "line 2: there is a player `uct` already");
  assert_string_equal(fault_of("player x uct speed=3"),
                      "line 1: a player has threads and iterations, not `speed=3`");
  assert_string_equal(fault_of("games nim chess\ngames tron nim"),
                      "line 2: there is a game `nim` already");
  assert_string_equal(fault_of("clocks 5 1 1"), "line 1: `1` is too many");
  assert_string_equal(fault_of("scramble no"), "line 1: `no` is too many");
  assert_string_equal(fault_of("player x uct threads=-1"),
                      "line 1: `threads=-1` is not NAME=NUMBER");
  assert_string_equal(fault_of("player x uct threads=1025"),
                      "line 1: `threads=1025` are more than 1024 threads");
  assert_string_equal(fault_of("player uct"), "the plan has no game");
  assert_string_equal(fault_of("games nim"), "the plan has no player");
  assert_string_equal(fault_of("games nim\nplayer uct\nclocks 1 0"),
                      "the play clock must be more than 0");
  assert_string_equal(fault_of("games nim\nplayer uct\nrounds 0"), "`rounds` is at least 1");
  assert_string_equal(fault_of("games nim\nplayer uct\ncores 1025"), "`cores` is at most 1024");
}

static void a_line_has_its_bounds(void **state) {
  (void)state;
  text words = text_new(test_arena);
  text_add(&words, "games");
  for (int i = 1; i < 256; i++) text_add_format(&words, " g%d", i);
  text_add(&words, " # and that is all\nplayer uct\n");
  assert_int_equal(read_well(text_string(&words)).games.count, 255);
  text_add(&words, "games");
  for (int i = 0; i < 256; i++) text_add_format(&words, " h%d", i);
  assert_string_equal(fault_of(text_string(&words)), "line 3: a line has at most 256 words");
}

static void swaps_sides_in_every_round(void **state) {
  (void)state;
  const tournament_plan p =
      read_well("games nim eight-puzzle\nplayer a uct\nplayer b uct\nplayer c uct\nrounds 2");
  const uint32_t roles[] = {2, 1};
  match_list matches = {0};
  tournament_schedule(&p, roles, test_arena, &matches);
  assert_int_equal(matches.count, 2 * (6 + 3));
  assert_string_equal(matches.items[0].key, "nim/1/a/b");
  assert_string_equal(matches.items[1].key, "nim/1/b/a");
  assert_string_equal(matches.items[6].key, "eight-puzzle/1/a");
  assert_string_equal(matches.items[17].key, "eight-puzzle/2/c");
}

static void no_two_matches_have_one_key(void **state) {
  (void)state;
  const tournament_plan p = read_well("games nim\nplayer a uct\nplayer b uct\nrounds 30");
  match_list matches = {0};
  tournament_schedule(&p, &(uint32_t){2}, test_arena, &matches);
  for (uint32_t i = 0; i < matches.count; i++)
    for (uint32_t j = 0; j < i; j++)
      assert_string_not_equal(matches.items[i].key, matches.items[j].key);
}

static void players_take_turns_over_the_seats(void **state) {
  (void)state;
  const planned_match m = {.first = 4, .second = 7};
  assert_int_equal(planned_player(&m, 0), 4);
  assert_int_equal(planned_player(&m, 1), 7);
  assert_int_equal(planned_player(&m, 2), 4);
}

static void other_clocks_are_other_settings(void **state) {
  (void)state;
  const tournament_plan a = read_well("games nim\nplayer uct"),
                        b = read_well("games nim\nplayer uct\nclocks 1 1"),
                        c = read_well("games nim chess\nplayer uct\nrounds 9");
  assert_string_not_equal(tournament_settings(&a, test_arena), tournament_settings(&b, test_arena));
  assert_string_equal(tournament_settings(&a, test_arena), tournament_settings(&c, test_arena));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(reads_every_line),
      cmocka_unit_test(says_what_is_wrong_and_where),
      cmocka_unit_test(a_line_has_its_bounds),
      cmocka_unit_test(swaps_sides_in_every_round),
      cmocka_unit_test(no_two_matches_have_one_key),
      cmocka_unit_test(players_take_turns_over_the_seats),
      cmocka_unit_test(other_clocks_are_other_settings),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
