/* Independent parts from the header, and what solving makes of them. */
#include "api/api_fixture.h"

/* Two counters that are turned by different moves, and a third one that neither end nor goal reads. */
#define COUNTERS_GAME \
  "(role robot) (counter a) (counter b) (counter c) (succ 0 1) (succ 1 2)" \
  "(<= (init (at ?c 0)) (counter ?c)) (<= (legal robot (turn ?c)) (counter ?c))" \
  "(<= (next (at ?c ?y)) (does robot (turn ?c)) (true (at ?c ?x)) (succ ?x ?y))" \
  "(<= (next (at ?c ?x)) (true (at ?c ?x)) (not (does robot (turn ?c))))" \
  "(<= (next (at ?c 2)) (true (at ?c 2)))" \
  "(<= terminal (true (at a 2))) (<= terminal (true (at b 2)))" \
  "(<= (goal robot 80) (true (at a 2))) (<= (goal robot 20) (not (true (at a 2))))"

static tabia_factors *found(api_fixture *f, const char *kind, tabia_status wanted) {
  tabia_factors *x;
  open_game(f, COUNTERS_GAME, kind);
  assert_int_equal(tabia_factors_find(&x, f->machine, NULL, f->log), wanted);
  return x;
}

/* The number of a fluent on the machine. */
static tabia_fluent fluent_named(const api_fixture *f, const tabia_factors *x, const char *words) {
  char name[64];
  for (tabia_fluent i = 0; i < tabia_factors_fluent_count(x); i++)
    if (tabia_fluent_text(f->machine, i, name, sizeof name) < sizeof name &&
        strcmp(name, words) == 0)
      return i;
  fail_msg("no fluent %s", words);
  return 0;
}

static void counters_are_parts(void **state) {
  api_fixture *f = *state;
  tabia_factors *x = found(f, "circuit", TABIA_OK);
  assert_null(tabia_factors_reason(x));
  assert_int_equal(tabia_factors_count(x), 2); /* nothing depends on the third one */
  const uint32_t a = tabia_factors_fluent_part(x, fluent_named(f, x, "(at a 1)"));
  const uint32_t b = tabia_factors_fluent_part(x, fluent_named(f, x, "(at b 1)"));
  assert_true(a < 2 && b == 1 - a);
  assert_int_equal(tabia_factors_fluent_part(x, fluent_named(f, x, "(at c 1)")), TABIA_PART_NONE);
  assert_true(tabia_factors_ends(x, a) && tabia_factors_ends(x, b));
  assert_true(tabia_factors_scores(x, a));
  assert_false(tabia_factors_scores(x, b));
  assert_false(tabia_factors_chooses_in_all(x, 0));
  assert_int_equal(tabia_factors_class_count(x, a, 0), 2);
  uint32_t active = 0;
  for (tabia_move m = 0; m < 3; m++)
    active += tabia_factors_move_class(x, a, 0, m) != tabia_factors_idle_class(x, a, 0);
  assert_int_equal(active, 1);
  tabia_factors_free(x);
}

static void numbers_out_of_range_are_no_parts(void **state) {
  api_fixture *f = *state;
  tabia_factors *x = found(f, "lanes", TABIA_OK);
  assert_int_equal(tabia_factors_fluent_part(x, 1000000), TABIA_PART_NONE);
  assert_false(tabia_factors_ends(x, 2) || tabia_factors_scores(x, 2));
  assert_int_equal(tabia_factors_class_count(x, 2, 0), 0);
  assert_int_equal(tabia_factors_class_count(x, 0, 1), 0);
  assert_int_equal(tabia_factors_idle_class(x, 0, 1), TABIA_NO_CLASS);
  assert_int_equal(tabia_factors_move_class(x, 0, 0, 3), TABIA_NO_CLASS);
  assert_false(tabia_factors_chooses_in_all(x, 1));
  tabia_factors_free(x);
  tabia_factors_free(NULL);
}

static void other_machines_have_no_circuit(void **state) {
  api_fixture *f = *state;
  assert_null(found(f, "reference", TABIA_FAULTY));
}

static void a_game_in_parts_is_solved_by_them(void **state) {
  api_fixture *f = *state;
  open_game(f, COUNTERS_GAME, "lanes");
  tabia_solve *x = tabia_solve_new(f->machine);
  assert_int_equal(tabia_solve_parts(x), 0);
  tabia_solve_set_method(x, TABIA_SOLVE_BY_PARTS);
  assert_int_equal(tabia_solve_run(x, NULL, f->log), TABIA_OK);
  assert_string_equal(tabia_solve_kind(x), "by-parts");
  assert_int_equal(tabia_solve_parts(x), 2);
  assert_true(tabia_solve_value(x, 0) == 80);
  assert_int_equal(tabia_solve_remoteness(x), 2);
  assert_int_equal(tabia_solve_line_length(x), 2);
  assert_true(tabia_solve_nodes(x) > 0 && tabia_solve_states(x) > 0);
  const tabia_move best = tabia_solve_move(x, 0, 0);
  tabia_solve_set_method(x, TABIA_SOLVE_STRONG);
  assert_int_equal(tabia_solve_run(x, NULL, f->log), TABIA_OK);
  assert_string_equal(tabia_solve_kind(x), "strong");
  assert_int_equal(tabia_solve_parts(x), 0);
  assert_true(tabia_solve_value(x, 0) == 80);
  assert_int_equal(tabia_solve_remoteness(x), 2);
  assert_int_equal(tabia_solve_move(x, 0, 0), best);
  tabia_solve_free(x);
}

static void a_game_without_parts_is_declined_by_them(void **state) {
  api_fixture *f = *state;
  open_file(f, "games/eight-puzzle.kif", "lanes");
  tabia_solve *x = tabia_solve_new(f->machine);
  tabia_solve_set_method(x, TABIA_SOLVE_BY_PARTS);
  assert_int_equal(tabia_solve_run(x, NULL, f->log), TABIA_FAULTY);
  assert_string_equal(tabia_solve_reason(x), "the game has no independent parts");
  tabia_solve_free(x);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      a_test(counters_are_parts),
      a_test(numbers_out_of_range_are_no_parts),
      a_test(other_machines_have_no_circuit),
      a_test(a_game_in_parts_is_solved_by_them),
      a_test(a_game_without_parts_is_declined_by_them),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
