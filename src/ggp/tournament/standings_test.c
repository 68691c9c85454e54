#include "ggp/ggp_fixture.h"
#include "ggp/tournament/standings.h"

#include <math.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static match_row row_of(const char *first, const char *second, double a, double b) {
  return (match_row){.key = "k",
                     .game = "g",
                     .first = first,
                     .second = second,
                     .is_completed = true,
                     .first_goal = a,
                     .second_goal = b};
}

static void add(standings *s, uint32_t times, const char *first, const char *second, double a,
                double b) {
  const match_row row = row_of(first, second, a, b);
  while (times--) standings_add(s, &row);
}

/* 300 of 400 points are 191 Elo. */
static void rates_by_the_score(void **state) {
  (void)state;
  standings s = standings_new(test_arena);
  add(&s, 150, "weak", "strong", 0, 100);
  add(&s, 150, "strong", "weak", 100, 0);
  add(&s, 100, "weak", "strong", 100, 0);
  standings_rate(&s);
  assert_string_equal(s.players.items[0].name, "strong");
  assert_true(fabs(s.players.items[0].elo - s.players.items[1].elo - 190.8) < 2);
  assert_true(s.players.items[0].elo_error > 20 && s.players.items[0].elo_error < 60);
  assert_int_equal(s.pairs.items[0].wins, 300);
}

static void equal_players_have_equal_ratings(void **state) {
  (void)state;
  standings s = standings_new(test_arena);
  add(&s, 10, "a", "b", 50, 50);
  standings_rate(&s);
  assert_true(fabs(s.players.items[0].elo) < 0.01 && fabs(s.players.items[1].elo) < 0.01);
}

static void who_has_won_all_has_a_rating(void **state) {
  (void)state;
  standings s = standings_new(test_arena);
  add(&s, 20, "a", "b", 100, 0);
  standings_rate(&s);
  assert_true(isfinite(s.players.items[0].elo) && s.players.items[0].elo > 200);
}

static void strength_carries_over_from_pair_to_pair(void **state) {
  (void)state;
  standings s = standings_new(test_arena);
  add(&s, 30, "a", "b", 100, 0);
  add(&s, 10, "b", "a", 100, 0);
  add(&s, 30, "b", "c", 100, 0);
  add(&s, 10, "c", "b", 100, 0);
  standings_rate(&s);
  assert_string_equal(s.players.items[0].name, "a");
  assert_string_equal(s.players.items[2].name, "c");
  assert_true(s.players.items[0].elo - s.players.items[2].elo > 300);
}

static void aborted_matches_and_matches_alone_rate_nobody(void **state) {
  (void)state;
  standings s = standings_new(test_arena);
  match_row row = row_of("a", "b", 0, 0);
  row.is_completed = false;
  standings_add(&s, &row);
  add(&s, 3, "a", "", 100, 0);
  standings_rate(&s);
  assert_int_equal(s.aborted, 1);
  assert_int_equal(s.players.count, 1);
  assert_int_equal(s.players.items[0].alone, 3);
  assert_true(s.players.items[0].elo == 0);
}

static void the_test_decides_by_the_score(void **state) {
  (void)state;
  const pair_standing better = {0, 1, 80, 0, 20}, worse = {0, 1, 20, 0, 80}, few = {0, 1, 3, 1, 2};
  assert_string_equal(pair_verdict(pair_llr(&better, 0, 50)), "stronger");
  assert_string_equal(pair_verdict(pair_llr(&worse, 0, 50)), "not stronger");
  assert_string_equal(pair_verdict(pair_llr(&few, 0, 50)), "open");
  assert_true(pair_llr(&(pair_standing){0}, 0, 50) == 0);
  assert_true(isfinite(pair_llr(&(pair_standing){0, 1, 100, 0, 0}, 0, 50)));
}

/* ---- the store ---- */

static const char *new_path(void) {
  char *path = arena_copy_text(test_arena, "/tmp/tabia-store-XXXXXX", 23);
  const int file = mkstemp(path);
  assert_true(file >= 0);
  close(file);
  return path;
}

static void keeps_each_match_once(void **state) {
  (void)state;
  const char *path = new_path(), *why;
  tournament_store *store = tournament_store_open(path, "settings", test_arena, &why);
  match_row row = row_of("a", "b", 100, 0);
  row.record = "{}";
  assert_non_null(store);
  assert_false(tournament_store_has(store, "k"));
  assert_true(tournament_store_add(store, &row));
  assert_true(tournament_store_has(store, "k"));
  assert_false(tournament_store_add(store, &row));
  tournament_store_close(store);
  store = tournament_store_open(path, "settings", test_arena, &why);
  standings s = standings_new(test_arena);
  tournament_store_each(store, standings_add, &s);
  assert_int_equal(s.players.items[0].wins, 1);
  tournament_store_close(store);
  unlink(path);
}

static void results_under_other_settings_are_turned_down(void **state) {
  (void)state;
  const char *path = new_path(), *why;
  tournament_store_close(tournament_store_open(path, "clocks 1 1", test_arena, &why));
  assert_null(tournament_store_open(path, "clocks 2 2", test_arena, &why));
  assert_non_null(strstr(why, "other settings"));
  unlink(path);
}

static void two_tournaments_do_not_share_a_file(void **state) {
  (void)state;
  const char *path = new_path(), *why;
  tournament_store *store = tournament_store_open(path, "settings", test_arena, &why);
  assert_null(tournament_store_open(path, "settings", test_arena, &why));
  assert_non_null(strstr(why, "another tournament"));
  tournament_store_close(store);
  unlink(path);
}

/* A process that was killed leaves workers, which end a moment later. */
static void a_tournament_goes_on_as_soon_as_the_workers_before_it_have_ended(void **state) {
  (void)state;
  const char *path = new_path(), *why = "";
  tournament_store *store = tournament_store_open(path, "settings", test_arena, &why);
  const pid_t worker = fork();
  if (worker == 0) {
    usleep(300 * 1000);
    _exit(0);
  }
  tournament_store_close(store);
  store = tournament_store_open(path, "settings", test_arena, &why);
  assert_string_equal(why, "");
  assert_non_null(store);
  tournament_store_close(store);
  waitpid(worker, NULL, 0);
  unlink(path);
}

static void a_file_of_something_else_is_turned_down(void **state) {
  (void)state;
  const char *path = new_path(), *why;
  FILE *file = fopen(path, "w");
  fputs("this is no database, and long enough to be looked at as one, which needs a hundred bytes "
        "of a head at least\n",
        file);
  fclose(file);
  assert_null(tournament_store_open(path, "settings", test_arena, &why));
  unlink(path);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rates_by_the_score),
      cmocka_unit_test(equal_players_have_equal_ratings),
      cmocka_unit_test(who_has_won_all_has_a_rating),
      cmocka_unit_test(strength_carries_over_from_pair_to_pair),
      cmocka_unit_test(aborted_matches_and_matches_alone_rate_nobody),
      cmocka_unit_test(the_test_decides_by_the_score),
      cmocka_unit_test(keeps_each_match_once),
      cmocka_unit_test(results_under_other_settings_are_turned_down),
      cmocka_unit_test(two_tournaments_do_not_share_a_file),
      cmocka_unit_test(a_tournament_goes_on_as_soon_as_the_workers_before_it_have_ended),
      cmocka_unit_test(a_file_of_something_else_is_turned_down),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
