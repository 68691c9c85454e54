/* Solving from the header: values, best moves, lines, and what is declined. */
#include "api/api_fixture.h"
#include "api/exchange_fixture.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MATCHING_PENNIES \
  "(role even) (role odd) (init open) (<= (legal ?r heads) (role ?r)) (<= (legal ?r tails) (role ?r))\n" \
  "(<= (next same) (does even ?m) (does odd ?m)) (<= (next shown) (does even ?m))\n" \
  "(<= terminal (true shown)) (<= (goal even 100) (true same)) (<= (goal odd 0) (true same))\n" \
  "(<= (goal even 0) (not (true same))) (<= (goal odd 100) (not (true same)))\n"

/* Places with arrows: who is at turn moves the token along one.  Ends have a goal for `one`, and 100
   less that for `two`. */
#define TOKEN_RULES \
  "(role one) (role two) (init (at a)) (init (turn one))\n" \
  "(<= (legal ?r (go ?y)) (true (turn ?r)) (true (at ?x)) (arrow ?x ?y))\n" \
  "(<= (legal ?r wait) (role ?r) (not (true (turn ?r))))\n" \
  "(<= (next (at ?y)) (does ?r (go ?y)))\n" \
  "(<= (next (turn two)) (true (turn one))) (<= (next (turn one)) (true (turn two)))\n" \
  "(<= terminal (true (at ?x)) (end ?x ?g ?h))\n" \
  "(<= (goal one ?g) (true (at ?x)) (end ?x ?g ?h)) (<= (goal two ?h) (true (at ?x)) (end ?x ?g ?h))\n"

static tabia_solve *solved(api_fixture *f, const char *rules) {
  open_game(f, rules, "lanes");
  tabia_solve *x = tabia_solve_new(f->machine);
  assert_int_equal(tabia_solve_run(x, NULL, f->log), TABIA_OK);
  assert_true(tabia_solve_has_values(x));
  return x;
}

static void one_role_gets_the_best_by_a_shortest_line(void **state) {
  api_fixture *f = *state;
  tabia_solve *x = solved(f, COUNTING_GAME);
  assert_true(tabia_solve_value(x, 0) == 100);
  assert_int_equal(tabia_solve_sense(x), TABIA_SENSE_BEST);
  assert_string_equal(tabia_solve_kind(x), "strong");
  assert_true(tabia_solve_has_remoteness(x));
  assert_int_equal(tabia_solve_line_length(x), tabia_solve_remoteness(x));
  assert_non_null(tabia_solve_line_joint(x, 0));
  assert_null(tabia_solve_line_joint(x, tabia_solve_line_length(x)));
  assert_true(tabia_solve_states(x) > 0 && tabia_solve_ends(x) > 0 && tabia_solve_bytes(x) > 0);
  assert_true(tabia_solve_depth(x) > 0);
  assert_true(tabia_solve_gap(x) == 0);
  assert_int_equal(tabia_solve_faults(x), 0);
  tabia_solve_free(x);
}

static void moves_at_once_are_mixed(void **state) {
  api_fixture *f = *state;
  tabia_solve *x = solved(f, MATCHING_PENNIES);
  for (uint32_t role = 0; role < 2; role++) {
    assert_true(fabs(tabia_solve_value(x, role) - 50) <= tabia_solve_gap(x));
    assert_int_equal(tabia_solve_move_count(x, role), 2);
    assert_true(fabs(tabia_solve_move_share(x, role, 1) - 0.5) < 1e-9);
    assert_int_not_equal(tabia_solve_move(x, role, 0), tabia_solve_move(x, role, 1));
    assert_int_equal(tabia_solve_move(x, role, 2), TABIA_NO_MOVE);
  }
  assert_false(tabia_solve_has_remoteness(x));
  assert_false(tabia_solve_has_chance(x));
  tabia_solve_free(x);
}

/* `one` can go round with `two` for ever, or give in; so can `two`. */
static void who_can_force_nothing_repeats(void **state) {
  api_fixture *f = *state;
  tabia_solve *x = solved(f, TOKEN_RULES "(arrow a b) (arrow b a) (arrow a bad) (arrow b good)\n"
                                         "(end bad 0 100) (end good 100 0)\n");
  assert_true(tabia_solve_value(x, 0) == 50 && tabia_solve_value(x, 1) == 50);
  assert_true(tabia_solve_has_endless(x));
  assert_false(tabia_solve_has_remoteness(x));
  assert_int_equal(tabia_solve_line_length(x), 0);
  assert_int_equal(tabia_solve_move_count(x, 0), 1);
  tabia_solve_free(x);
}

static void endless_play_counts_between_other_goals(void **state) {
  api_fixture *f = *state;
  tabia_solve *x = solved(f, TOKEN_RULES "(arrow a b) (arrow b a) (arrow a low) (end low 30 70)\n"
                                         "(arrow b low)\n");
  assert_true(tabia_solve_value(x, 0) == 30); /* `two` leaves the circle at b */
  assert_int_equal(tabia_solve_remoteness(x), 2);
  tabia_solve_free(x);
}

static void a_circle_is_left_for_a_better_end(void **state) {
  api_fixture *f = *state;
  tabia_solve *x =
      solved(f, TOKEN_RULES "(arrow a b) (arrow b c) (arrow c d) (arrow d a) (arrow c mid)\n"
                            "(end mid 60 40)\n");
  assert_true(tabia_solve_value(x, 0) == 60); /* `one` leaves it at c, its second move */
  assert_int_equal(tabia_solve_remoteness(x), 3);
  assert_false(tabia_solve_has_endless(x));
  tabia_solve_free(x);
}

/* ---- several processes ---- */

/* One process has nobody to talk to. */
static void one_process_of_an_exchange_finds_the_same(void **state) {
  api_fixture *f = *state;
  int barriers = 0;
  const tabia_exchange e = exchange_of_size(1, &barriers);
  open_game(f, COUNTING_GAME, "lanes");
  tabia_solve *x = tabia_solve_new(f->machine);
  tabia_solve_set_exchange(x, &e);
  assert_int_equal(tabia_solve_run(x, NULL, f->log), TABIA_OK);
  assert_true(tabia_solve_value(x, 0) == 100);
  assert_true(barriers > 0);
  tabia_solve_free(x);
}

/* A second process is expected that never answers. */
static void messages_that_fail_end_the_run(void **state) {
  api_fixture *f = *state;
  int barriers = 0;
  const tabia_exchange e = exchange_of_size(2, &barriers);
  open_game(f, COUNTING_GAME, "lanes");
  tabia_solve *x = tabia_solve_new(f->machine);
  tabia_solve_set_exchange(x, &e);
  assert_int_equal(tabia_solve_run(x, NULL, f->log), TABIA_LIMIT);
  assert_says(f, "another process");
  assert_false(tabia_solve_has_values(x));
  tabia_solve_free(x);
}

static void several_processes_decline_moves_at_once(void **state) {
  api_fixture *f = *state;
  int barriers = 0;
  const tabia_exchange e = exchange_of_size(1, &barriers);
  open_game(f, MATCHING_PENNIES, "lanes");
  tabia_solve *x = tabia_solve_new(f->machine);
  tabia_solve_set_exchange(x, &e);
  assert_int_equal(tabia_solve_run(x, NULL, f->log), TABIA_FAULTY);
  assert_non_null(strstr(tabia_solve_reason(x), "several processes"));
  tabia_solve_free(x);
}

/* What is left when a run is ended by a limit is taken up by the next. */
static void a_run_that_was_ended_goes_on_from_its_files(void **state) {
  api_fixture *f = *state;
  char files[] = "/tmp/api-solve-test-XXXXXX";
  assert_non_null(mkdtemp(files));
  open_game(f, COUNTING_GAME, "lanes");
  tabia_solve *x = tabia_solve_new(f->machine);
  tabia_solve_set_checkpoint(x, files, 1e-9);
  tabia_solve_set_most_states(x, 1);
  assert_int_equal(tabia_solve_run(x, NULL, f->log), TABIA_LIMIT);
  assert_says(f, "more states than were allowed");
  assert_int_equal(access(files, F_OK), 0);
  tabia_solve_set_most_states(x, 0);
  assert_int_equal(tabia_solve_run(x, NULL, f->log), TABIA_OK);
  assert_true(tabia_solve_value(x, 0) == 100);
  assert_int_not_equal(access(files, F_OK), 0);
  tabia_solve_free(x);
}

static void files_of_another_game_are_refused(void **state) {
  api_fixture *f = *state;
  char files[] = "/tmp/api-solve-test-XXXXXX", head[64];
  assert_non_null(mkdtemp(files));
  snprintf(head, sizeof head, "%s/head", files);
  FILE *out = fopen(head, "wb");
  assert_true(out && fputs("no head", out) >= 0 && fclose(out) == 0);
  open_game(f, COUNTING_GAME, "lanes");
  tabia_solve *x = tabia_solve_new(f->machine);
  tabia_solve_set_checkpoint(x, files, 0);
  assert_int_equal(tabia_solve_run(x, NULL, f->log), TABIA_UNREADABLE);
  assert_says(f, "its head is damaged");
  tabia_solve_free(x);
  unlink(head);
  rmdir(files);
}

/* Its states are the same, but not what they are worth. */
static void files_of_a_game_with_other_goals_are_refused(void **state) {
  api_fixture *f = *state;
  char files[] = "/tmp/api-solve-test-XXXXXX", game[] = COUNTING_GAME;
  assert_non_null(mkdtemp(files));
  const tabia_status expected[] = {TABIA_LIMIT, TABIA_UNREADABLE, TABIA_OK};
  for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
    memcpy(strstr(game, "(goal robot ") + strlen("(goal robot "), i == 1 ? "9" : "0", 1);
    open_game(f, game, "lanes");
    tabia_solve *x = tabia_solve_new(f->machine);
    tabia_solve_set_checkpoint(x, files, 1e-9);
    tabia_solve_set_most_states(x, i < 2);
    assert_int_equal(tabia_solve_run(x, NULL, f->log), expected[i]);
    if (i == 1) assert_says(f, "it is of another game");
    tabia_solve_free(x);
    tabia_machine_close(f->machine);
    f->machine = NULL;
  }
}

static void too_many_states_leave_a_weak_solution(void **state) {
  api_fixture *f = *state;
  open_game(f, COUNTING_GAME, "lanes");
  tabia_solve *x = tabia_solve_new(f->machine);
  tabia_solve_set_most_states(x, 1);
  assert_int_equal(tabia_solve_run(x, NULL, f->log), TABIA_OK);
  assert_string_equal(tabia_solve_kind(x), "weak");
  assert_true(tabia_solve_value(x, 0) == 100);
  assert_true(tabia_solve_nodes(x) > 0);
  assert_int_equal(tabia_solve_states(x), 0);
  assert_false(tabia_solve_has_remoteness(x));
  assert_true(tabia_solve_line_length(x) > 0);
  tabia_solve_free(x);
}

static void no_weak_solution_of_moves_at_once(void **state) {
  api_fixture *f = *state;
  open_game(f, MATCHING_PENNIES, "lanes");
  tabia_solve *x = tabia_solve_new(f->machine);
  tabia_solve_set_method(x, TABIA_SOLVE_WEAK);
  assert_int_equal(tabia_solve_run(x, NULL, f->log), TABIA_FAULTY);
  assert_non_null(strstr(tabia_solve_reason(x), "at once"));
  tabia_solve_free(x);
}

/* No weak solution is for them, and that is not why there is no answer. */
static void too_many_states_of_moves_at_once_are_a_limit(void **state) {
  api_fixture *f = *state;
  open_game(f, MATCHING_PENNIES, "lanes");
  tabia_solve *x = tabia_solve_new(f->machine);
  tabia_solve_set_most_states(x, 1);
  assert_int_equal(tabia_solve_run(x, NULL, f->log), TABIA_LIMIT);
  assert_null(tabia_solve_reason(x));
  assert_says(f, "more states than were allowed");
  tabia_solve_free(x);
}

static void too_many_states_are_a_limit(void **state) {
  api_fixture *f = *state;
  open_game(f, COUNTING_GAME, "lanes");
  tabia_solve *x = tabia_solve_new(f->machine);
  tabia_solve_set_method(x, TABIA_SOLVE_STRONG);
  tabia_solve_set_threads(x, 2);
  tabia_solve_set_most_states(x, 1);
  assert_int_equal(tabia_solve_run(x, NULL, f->log), TABIA_LIMIT);
  assert_false(tabia_solve_has_values(x));
  assert_int_equal(tabia_solve_move_count(x, 0), 0);
  tabia_solve_free(x);
}

static void every_machine_with_a_circuit_solves(void **state) {
  static const char *const kinds[] = {"lanes", "circuit", "gpu"};
  api_fixture *f = *state;
  setenv("TABIA_GPU", "emulator", 1);
  for (uint32_t i = 0; i < 3; i++) {
    open_game(f, COUNTING_GAME, kinds[i]);
    tabia_solve *x = tabia_solve_new(f->machine);
    tabia_levels *levels = tabia_levels_new(f->machine);
    assert_int_equal(tabia_solve_run(x, NULL, f->log), TABIA_OK);
    assert_true(tabia_solve_value(x, 0) == 100);
    assert_int_equal(tabia_levels_run(levels, UINT32_MAX, NULL, f->log), TABIA_OK);
    assert_int_equal(strtoull(tabia_levels_total(levels), NULL, 10), tabia_solve_states(x));
    tabia_levels_free(levels);
    tabia_solve_free(x);
    tabia_machine_close(f->machine);
    f->machine = NULL;
  }
  unsetenv("TABIA_GPU");
}

static void machines_without_all_states_are_declined(void **state) {
  api_fixture *f = *state;
  open_game(f, COUNTING_GAME, "datalog");
  tabia_solve *x = tabia_solve_new(f->machine);
  assert_int_equal(tabia_solve_run(x, NULL, f->log), TABIA_FAULTY);
  assert_non_null(strstr(tabia_solve_reason(x), "machine"));
  tabia_solve_free(x);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      a_test(one_role_gets_the_best_by_a_shortest_line),
      a_test(moves_at_once_are_mixed),
      a_test(who_can_force_nothing_repeats),
      a_test(endless_play_counts_between_other_goals),
      a_test(a_circle_is_left_for_a_better_end),
      a_test(one_process_of_an_exchange_finds_the_same),
      a_test(messages_that_fail_end_the_run),
      a_test(several_processes_decline_moves_at_once),
      a_test(a_run_that_was_ended_goes_on_from_its_files),
      a_test(files_of_another_game_are_refused),
      a_test(files_of_a_game_with_other_goals_are_refused),
      a_test(too_many_states_leave_a_weak_solution),
      a_test(no_weak_solution_of_moves_at_once),
      a_test(too_many_states_of_moves_at_once_are_a_limit),
      a_test(too_many_states_are_a_limit),
      a_test(every_machine_with_a_circuit_solves),
      a_test(machines_without_all_states_are_declined),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
