/* Databases from the header: values, remoteness and best moves of every position, and what is
   refused. */
#include "api/api_fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Takes turns to take one or two from a heap; who takes the last one wins. */
#define HEAP_GAME \
  "(role one) (role two) (init (heap 7)) (init (turn one))\n" \
  "(less 7 6) (less 6 5) (less 5 4) (less 4 3) (less 3 2) (less 2 1) (less 1 0)\n" \
  "(<= (legal ?r (take 1)) (true (turn ?r)) (true (heap ?x)) (less ?x ?y))\n" \
  "(<= (legal ?r (take 2)) (true (turn ?r)) (true (heap ?x)) (less ?x ?y) (less ?y ?z))\n" \
  "(<= (legal ?r wait) (role ?r) (not (true (turn ?r))))\n" \
  "(<= (next (heap ?y)) (does ?r (take 1)) (true (heap ?x)) (less ?x ?y))\n" \
  "(<= (next (heap ?z)) (does ?r (take 2)) (true (heap ?x)) (less ?x ?y) (less ?y ?z))\n" \
  "(<= (next (turn two)) (true (turn one))) (<= (next (turn one)) (true (turn two)))\n" \
  "(<= terminal (true (heap 0)))\n" \
  "(<= (goal ?r 0) (true (turn ?r)) (true (heap 0)))\n" \
  "(<= (goal ?r 100) (role ?r) (not (true (turn ?r))) (true (heap 0)))\n"

/* A coin decides who may take. */
#define COIN_GAME \
  "(role one) (role two) (role random) (init start)\n" \
  "(<= (legal random heads) (true start)) (<= (legal random tails) (true start))\n" \
  "(<= (legal random noop) (not (true start)))\n" \
  "(<= (legal one (say ?x)) (true (turn one)) (word ?x)) (word 20) (word 90)\n" \
  "(<= (legal two (say ?x)) (true (turn two)) (word ?x))\n" \
  "(<= (legal one noop) (not (true (turn one)))) (<= (legal two noop) (not (true (turn two))))\n" \
  "(<= (next (turn one)) (does random heads)) (<= (next (turn two)) (does random tails))\n" \
  "(<= (next (said ?x)) (does ?r (say ?x))) (<= terminal (true (said ?x)))\n" \
  "(<= (goal one ?x) (true (said ?x))) (<= (goal two 80) (true (said 20)))\n" \
  "(<= (goal two 10) (true (said 90))) (goal random 0)\n"

/* Two steps, of which the first decides: 40 is the most. */
#define LADDER_GAME \
  "(role one) (init (at top)) (legal one left) (legal one right)\n" \
  "(<= (next (at (low ?m))) (true (at top)) (does one ?m))\n" \
  "(<= (next (at end)) (true (at (low ?m)))) (<= (next won) (true (at (low right))))\n" \
  "(<= (next won) (true won))\n" \
  "(<= terminal (true (at end))) (<= (goal one 40) (true won)) (<= (goal one 10) (not (true won)))\n"

static char folder[64];

static void solve_to_folder(api_fixture *f, const char *rules, uint32_t threads) {
  open_game(f, rules, "lanes");
  tabia_solve *x = tabia_solve_new(f->machine);
  tabia_solve_set_threads(x, threads);
  char given[sizeof folder];
  strcpy(given, folder);
  tabia_solve_set_database(x, given);
  given[0] = '\0'; /* the text was copied */
  assert_int_equal(tabia_solve_run(x, NULL, f->log), TABIA_OK);
  assert_true(tabia_solve_has_database(x));
  tabia_solve_free(x);
}

static int make_folder(void **state) {
  strcpy(folder, "/tmp/api-database-test-XXXXXX");
  return set_up(state) || !mkdtemp(folder);
}

static int remove_folder(void **state) {
  char path[128];
  static const char *const names[] = {"head", "index", "values", "steps"};
  for (uint32_t i = 0; i < 4; i++) {
    snprintf(path, sizeof path, "%s/%s", folder, names[i]);
    unlink(path);
  }
  rmdir(folder);
  return tear_down(state);
}

static tabia_database *opened(api_fixture *f) {
  tabia_database *b;
  assert_int_equal(tabia_database_open(&b, f->machine, folder, f->log), TABIA_OK);
  return b;
}

/* Who is to move loses where the heap is a multiple of three (Bachet). */
static void every_position_of_a_heap_has_its_value(void **state) {
  api_fixture *f = *state;
  solve_to_folder(f, HEAP_GAME, 2);
  tabia_database *b = opened(f);
  tabia_workspace *w = tabia_workspace_new(f->machine, NULL);
  uint64_t position[16];
  double values[2];
  for (int heap = 0; heap <= 7; heap++)
    for (int turn = 0; turn < 2; turn++) {
      char words[64];
      uint32_t steps;
      if (heap == 7 && turn) continue;
      snprintf(words, sizeof words, "(heap %d) (turn %s)", heap, turn ? "two" : "one");
      assert_int_equal(
          tabia_position_read(f->machine, "test", words, strlen(words), position, f->log),
          TABIA_OK);
      if (heap == 6 && !turn) continue; /* no play leads there */
      assert_true(tabia_database_values(b, w, position, values));
      assert_true(values[turn] == (heap % 3 ? 100 : 0));
      assert_true(values[0] + values[1] == 100);
      assert_true(tabia_database_remoteness(b, w, position, &steps));
      assert_int_equal(steps % 2, heap % 3 != 0);
    }
  tabia_workspace_free(w);
  tabia_database_close(b);
}

static void best_moves_lead_to_the_value(void **state) {
  api_fixture *f = *state;
  tabia_move moves[4];
  uint64_t position[16];
  solve_to_folder(f, HEAP_GAME, 1);
  tabia_database *b = opened(f);
  tabia_workspace *w = tabia_workspace_new(f->machine, NULL);
  tabia_position_start(f->machine, position);
  assert_int_equal(tabia_database_moves(b, w, position, 0, moves, 4), 1);
  char word[32];
  tabia_move_text(f->machine, 0, moves[0], word, sizeof word);
  assert_string_equal(word, "(take 1)");
  assert_int_equal(tabia_database_moves(b, w, position, 1, moves, 4), 0); /* `one` chooses */
  tabia_workspace_free(w);
  tabia_database_close(b);
}

static void chance_is_kept_and_checked(void **state) {
  api_fixture *f = *state;
  double values[3];
  uint64_t position[16], checked = 0;
  uint32_t steps;
  tabia_machine *judge;
  solve_to_folder(f, COIN_GAME, 1);
  tabia_database *b = opened(f);
  tabia_workspace *w = tabia_workspace_new(f->machine, NULL);
  tabia_position_start(f->machine, position);
  assert_true(tabia_database_values(b, w, position, values));
  assert_true(values[0] == 55 && values[1] == 45);
  assert_false(tabia_database_remoteness(b, w, position, &steps));
  assert_int_equal(tabia_database_bytes(b, "steps"), 0);
  assert_int_equal(tabia_machine_open(&judge, f->rules, "reference", NULL, f->log), TABIA_OK);
  assert_int_equal(tabia_database_check(b, judge, 50, 1, NULL, f->log, &checked), TABIA_OK);
  assert_true(checked >= 50);
  tabia_machine_close(judge);
  tabia_workspace_free(w);
  tabia_database_close(b);
}

static void counts_are_those_of_the_states(void **state) {
  api_fixture *f = *state;
  solve_to_folder(f, HEAP_GAME, 1);
  tabia_database *b = opened(f);
  assert_int_equal(tabia_database_ends(b), 2);
  assert_int_equal(tabia_database_states(b), 12);
  assert_true(tabia_database_bytes(b, "index") && tabia_database_bytes(b, "values"));
  assert_int_equal(tabia_database_bytes(b, "none"), 0);
  tabia_database_close(b);
}

static void another_game_and_other_machines_are_refused(void **state) {
  api_fixture *f = *state;
  tabia_database *b;
  tabia_machine *m;
  solve_to_folder(f, HEAP_GAME, 1);
  assert_int_equal(tabia_machine_open(&m, f->rules, "datalog", NULL, f->log), TABIA_OK);
  assert_int_equal(tabia_database_open(&b, m, folder, f->log), TABIA_MISUSE);
  tabia_machine_close(m);
  tabia_machine_close(f->machine);
  open_game(f, COUNTING_GAME, "lanes");
  assert_int_equal(tabia_database_open(&b, f->machine, folder, f->log), TABIA_UNREADABLE);
  assert_null(b);
}

/* The judge plays a game in which who takes the last one loses. */
static void wrong_values_are_found(void **state) {
  api_fixture *f = *state;
  tabia_machine *judge;
  tabia_database *b;
  static const char misere[] =
      "(<= (goal ?r 100) (true (turn ?r)) (true (heap 0)))\n"
      "(<= (goal ?r 0) (role ?r) (not (true (turn ?r))) (true (heap 0)))\n";
  char rules[2048];
  snprintf(rules, sizeof rules, "%.*s%s", (int)(strstr(HEAP_GAME, "(<= (goal") - HEAP_GAME),
           HEAP_GAME, misere);
  solve_to_folder(f, HEAP_GAME, 1);
  b = opened(f);
  tabia_rules *other;
  assert_int_equal(tabia_rules_read_text(&other, "other", rules, strlen(rules), f->log), TABIA_OK);
  assert_int_equal(tabia_machine_open(&judge, other, "reference", NULL, f->log), TABIA_OK);
  tabia_messages_clear(f->log);
  assert_int_equal(tabia_database_check(b, judge, 50, 1, NULL, f->log, NULL), TABIA_FAULTY);
  assert_says(f, "positions are wrong");
  tabia_machine_close(judge);
  tabia_rules_free(other);
  tabia_database_close(b);
}

static tabia_search *searching(api_fixture *f, const char *from, tabia_status expected) {
  tabia_search *s;
  tabia_options_set(f->options, "database", from);
  assert_int_equal(tabia_search_open(&s, f->machine, f->options, NULL, f->log), expected);
  return s;
}

/* One iteration for a thought, which alone would know next to nothing. */
static void a_search_looks_values_up(void **state) {
  api_fixture *f = *state;
  char word[32];
  solve_to_folder(f, HEAP_GAME, 1);
  tabia_search *s = searching(f, folder, TABIA_OK);
  tabia_search_set_iterations(s, 1);
  assert_int_equal(tabia_search_think(s, NULL, 0, NULL, f->log), TABIA_OK);
  assert_true(tabia_search_is_proved(s));
  assert_true(tabia_search_value(s, 0) == 100 && tabia_search_value(s, 1) == 0);
  tabia_move_text(f->machine, 0, tabia_search_best(s, 0), word, sizeof word);
  assert_string_equal(word, "(take 1)");
  assert_int_equal(tabia_search_line_length(s), 5); /* to 6, 3 and 0, with two answers */
  tabia_search_close(s);
}

static void a_search_of_one_role_follows_the_values(void **state) {
  api_fixture *f = *state;
  char word[32];
  solve_to_folder(f, LADDER_GAME, 1);
  tabia_search *s = searching(f, folder, TABIA_OK);
  tabia_search_set_iterations(s, 1);
  assert_int_equal(tabia_search_think(s, NULL, 0, NULL, f->log), TABIA_OK);
  assert_true(tabia_search_value(s, 0) == 40);
  tabia_move_text(f->machine, 0, tabia_search_best(s, 0), word, sizeof word);
  assert_string_equal(word, "right");
  assert_int_equal(tabia_search_line_length(s), 2);
  tabia_search_close(s);
}

static void a_search_refuses_values_that_are_not_for_it(void **state) {
  api_fixture *f = *state;
  solve_to_folder(f, COIN_GAME, 1);
  assert_null(searching(f, folder, TABIA_MISUSE));
  assert_says(f, "goals add up to 100");
  assert_null(searching(f, "nowhere", TABIA_UNREADABLE));
}

/* The folder is empty again as soon as the values are there. */
static void values_of_a_game_need_no_folder_that_stays(void **state) {
  api_fixture *f = *state;
  tabia_database *b;
  uint64_t position[16];
  double values[2];
  open_game(f, HEAP_GAME, "lanes");
  setenv("TMPDIR", folder, true);
  assert_int_equal(tabia_database_solve(&b, f->machine, NULL, f->log), TABIA_OK);
  assert_int_equal(rmdir(folder), 0);
  tabia_workspace *w = tabia_workspace_new(f->machine, NULL);
  tabia_position_start(f->machine, position);
  assert_true(tabia_database_values(b, w, position, values));
  assert_true(values[0] == 100);
  tabia_workspace_free(w);
  tabia_database_close(b);
  assert_int_equal(tabia_database_solve(&b, f->machine, NULL, f->log), TABIA_UNREADABLE);
  assert_null(b);
  assert_says(f, "no folder for temporary files");
  unsetenv("TMPDIR");
}

static void what_is_declined_has_no_values(void **state) {
  api_fixture *f = *state;
  tabia_database *b;
  open_game(f, HEAP_GAME, "datalog");
  assert_int_equal(tabia_database_solve(&b, f->machine, NULL, f->log), TABIA_FAULTY);
  assert_null(b);
  assert_says(f, "declined");
}

#define folder_test(name) cmocka_unit_test_setup_teardown(name, make_folder, remove_folder)

int main(void) {
  const struct CMUnitTest tests[] = {
      folder_test(every_position_of_a_heap_has_its_value),
      folder_test(best_moves_lead_to_the_value),
      folder_test(chance_is_kept_and_checked),
      folder_test(counts_are_those_of_the_states),
      folder_test(another_game_and_other_machines_are_refused),
      folder_test(wrong_values_are_found),
      folder_test(a_search_looks_values_up),
      folder_test(a_search_of_one_role_follows_the_values),
      folder_test(a_search_refuses_values_that_are_not_for_it),
      folder_test(values_of_a_game_need_no_folder_that_stays),
      folder_test(what_is_declined_has_no_values),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
