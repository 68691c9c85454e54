/* Symmetries from the header, and what solving makes of them. */
#include "api/api_fixture.h"

/* Each player marks a cell of three; who has two neighbouring cells wins. */
#define ROW_GAME \
  "(role x) (role o) (init (turn x)) (cell a) (cell b) (cell c) (init (free a)) (init (free b))" \
  "(init (free c)) (beside a b) (beside b c)" \
  "(<= (legal ?r (take ?c)) (true (turn ?r)) (true (free ?c)))" \
  "(<= (legal ?r wait) (role ?r) (not (true (turn ?r))))" \
  "(<= (next (has ?r ?c)) (does ?r (take ?c))) (<= (next (has ?r ?c)) (true (has ?r ?c)))" \
  "(<= (next (free ?c)) (true (free ?c)) (not (taken ?c))) (<= (taken ?c) (does ?r (take ?c)))" \
  "(<= (next (turn o)) (true (turn x))) (<= (next (turn x)) (true (turn o)))" \
  "(<= (pair ?r) (true (has ?r ?a)) (true (has ?r ?b)) (beside ?a ?b))" \
  "(<= any (true (free ?c))) (<= terminal (pair ?r)) (<= terminal (not any))" \
  "(<= (goal ?r 100) (pair ?r)) (<= (goal x 0) (pair o)) (<= (goal o 0) (pair x))" \
  "(<= none (not (pair x)) (not (pair o))) (<= (goal ?r 50) (role ?r) none)"

static tabia_symmetries *found(api_fixture *f, const char *kind, tabia_status wanted) {
  tabia_symmetries *x;
  open_game(f, ROW_GAME, kind);
  assert_int_equal(tabia_symmetries_find(&x, f->machine, NULL, f->log), wanted);
  return x;
}

static void a_row_has_a_mirror_image(void **state) {
  api_fixture *f = *state;
  tabia_symmetries *x = found(f, "circuit", TABIA_OK);
  if (!tabia_symmetries_possible()) {
    assert_int_equal(tabia_symmetries_count(x), 0);
    tabia_symmetries_free(x);
    skip();
  }
  assert_int_equal(tabia_symmetries_count(x), 1);
  assert_int_equal(tabia_symmetries_order(x), 2);
  assert_true(tabia_symmetries_are_all(x));
  uint32_t moved = 0;
  for (uint32_t role = 0; role < 2; role++) {
    assert_int_equal(tabia_symmetries_role(x, 0, role), role);
    assert_int_equal(tabia_symmetries_move_count(x, role), 4);
    for (tabia_move m = 0; m < 4; m++) {
      const tabia_move image = tabia_symmetries_move(x, 0, role, m);
      assert_int_equal(tabia_symmetries_move(x, 0, role, image), m);
      moved += image != m;
    }
  }
  assert_int_equal(moved, 4);
  for (tabia_fluent i = 0; i < tabia_symmetries_fluent_count(x); i++)
    assert_int_equal(tabia_symmetries_fluent(x, 0, tabia_symmetries_fluent(x, 0, i)), i);
  tabia_symmetries_free(x);
}

/* Both see which cell was taken; a mirror maps cells, and percepts with them. */
static void percepts_are_mapped_with_what_they_are_about(void **state) {
  api_fixture *f = *state;
  if (!tabia_symmetries_possible()) skip();
  tabia_symmetries *x;
  open_game(f, ROW_GAME "(<= (sees ?r (taken ?c)) (role ?r) (does ?p (take ?c)))", "circuit");
  assert_int_equal(tabia_symmetries_find(&x, f->machine, NULL, f->log), TABIA_OK);
  assert_int_equal(tabia_symmetries_count(x), 1);
  for (uint32_t role = 0; role < 2; role++) {
    assert_int_equal(tabia_symmetries_percept_count(x, role), 3);
    const tabia_percept mirrored[] = {2, 1, 0}; /* of a, b, c */
    for (tabia_percept p = 0; p < 3; p++)
      assert_int_equal(tabia_symmetries_percept(x, 0, role, p), mirrored[p]);
  }
  tabia_symmetries_free(x);
}

static void other_machines_have_no_ground_rules(void **state) {
  api_fixture *f = *state;
  assert_null(found(f, "reference", TABIA_FAULTY));
}

static void solving_keeps_one_of_states_that_are_alike(void **state) {
  api_fixture *f = *state;
  open_game(f, ROW_GAME, "lanes");
  tabia_solve *x = tabia_solve_new(f->machine);
  assert_int_equal(tabia_solve_run(x, NULL, f->log), TABIA_OK);
  const uint64_t states = tabia_solve_states(x), ends = tabia_solve_ends(x);
  const double value = tabia_solve_value(x, 0);
  if (tabia_symmetries_possible()) {
    assert_int_equal(tabia_solve_symmetries(x), 2);
    assert_true(tabia_solve_kept_states(x) < states);
  }
  tabia_solve_set_symmetry(x, false);
  assert_int_equal(tabia_solve_run(x, NULL, f->log), TABIA_OK);
  assert_int_equal(tabia_solve_symmetries(x), 1);
  assert_int_equal(tabia_solve_kept_states(x), states);
  assert_int_equal(tabia_solve_states(x), states);
  assert_int_equal(tabia_solve_ends(x), ends);
  assert_true(tabia_solve_value(x, 0) == value);
  tabia_solve_free(x);
}

/* 5,478 positions, and 765 up to rotation and reflection. */
static void tic_tac_toe_has_765_positions_up_to_symmetry(void **state) {
  api_fixture *f = *state;
  if (!tabia_symmetries_possible()) skip();
  open_file(f, "games/tic-tac-toe.kif", "lanes");
  tabia_solve *x = tabia_solve_new(f->machine);
  assert_int_equal(tabia_solve_run(x, NULL, f->log), TABIA_OK);
  assert_int_equal(tabia_solve_states(x), 5478);
  assert_int_equal(tabia_solve_kept_states(x), 765);
  assert_int_equal(tabia_solve_symmetries(x), 8);
  assert_int_equal(tabia_solve_line_length(x), 9);
  tabia_solve_free(x);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      a_test(a_row_has_a_mirror_image),
      a_test(percepts_are_mapped_with_what_they_are_about),
      a_test(other_machines_have_no_ground_rules),
      a_test(solving_keeps_one_of_states_that_are_alike),
      a_test(tic_tac_toe_has_765_positions_up_to_symmetry),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
