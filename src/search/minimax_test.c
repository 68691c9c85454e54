#include "machine/machine_fixture.h"
#include "search/minimax.h"
#include "search/perft.h"

static minimax_result searched(machine_fixture *f, minimax_options o) {
  minimax_result r;
  assert_true(minimax(&r, f->m, f->w, &o, f->keep));
  return r;
}

static void assert_values(const minimax_result *r, double first, double second) {
  assert_float_equal(r->values[0], first, 1e-6);
  assert_float_equal(r->values[1], second, 1e-6);
}

/* ---- counts ---- */

static void assert_counts_as_perft(machine_fixture *f, const char *game, uint32_t depth,
                                   bool ignore_terminal) {
  perft_result p;
  open_builtin(f, game);
  const perft_options po = {.depth = depth, .ignore_terminal = ignore_terminal};
  const minimax_options mo = {.depth = depth, .ignore_terminal = ignore_terminal};
  assert_true(perft(&p, f->m, f->w, &po, f->keep));
  const minimax_result r = searched(f, mo);
  assert_memory_equal(r.nodes, p.nodes, (depth + 1) * sizeof *r.nodes);
  assert_int_equal(r.total, p.total);
}

static void counts_what_perft_counts(void **state) {
  assert_counts_as_perft(*state, "tic-tac-toe", 5, false);
}

static void counts_what_perft_counts_with_moves_at_once(void **state) {
  assert_counts_as_perft(*state, "simultaneous-tic-tac-toe", 2, false);
}

static void plays_on_behind_the_end_when_told_to(void **state) {
  assert_counts_as_perft(*state, "nim", 5, true);
}

/* ---- values ---- */

/* One or two may be taken; who takes the last wins. */
static void alpha_beta_finds_the_same_values_with_fewer_states(void **state) {
  machine_fixture *f = *state;
  open_game(
      f,
      "(role x) (role o) (init (left 9)) (init (control x)) (other x o) (other o x)\n"
      "(m 1 0) (m 2 1) (m 3 2) (m 4 3) (m 5 4) (m 6 5) (m 7 6) (m 8 7) (m 9 8)\n"
      "(m2 2 0) (m2 3 1) (m2 4 2) (m2 5 3) (m2 6 4) (m2 7 5) (m2 8 6) (m2 9 7)\n"
      "(<= (legal ?r one) (true (control ?r)) (true (left ?n)) (m ?n ?k))\n"
      "(<= (legal ?r two) (true (control ?r)) (true (left ?n)) (m2 ?n ?k))\n"
      "(<= (legal ?r noop) (true (control ?o)) (other ?o ?r))\n"
      "(<= (next (left ?k)) (does ?r one) (true (left ?n)) (m ?n ?k))\n"
      "(<= (next (left ?k)) (does ?r two) (true (left ?n)) (m2 ?n ?k))\n"
      "(<= (next (control ?r)) (true (control ?o)) (other ?o ?r))\n"
      "(<= terminal (true (left 0)))\n"
      "(<= (goal ?r 0) (true (control ?r))) (<= (goal ?r 100) (true (control ?o)) (other ?o ?r))");
  const minimax_result full = searched(f, (minimax_options){.depth = 9});
  const minimax_result cut = searched(f, (minimax_options){.depth = 9, .alpha_beta = true});
  assert_values(&full, 0, 100); /* 9 is a multiple of 3: the one who moves first loses */
  assert_values(&cut, 0, 100);
  assert_true(minimax_is_exact(&full));
  assert_true(cut.total < full.total * 2); /* there are two searches */
}

static void tic_tac_toe_is_a_draw(void **state) {
  machine_fixture *f = *state;
  open_builtin(f, "tic-tac-toe");
  const minimax_result r = searched(f, (minimax_options){.depth = 9, .alpha_beta = true});
  assert_values(&r, 50, 50);
  assert_true(minimax_is_exact(&r));
  assert_true(r.total < 100000);
}

static void one_role_takes_the_best(void **state) {
  machine_fixture *f = *state;
  open_game(f, "(role r) (init s) (legal r a) (legal r b) (<= (next a) (does r a))\n"
               "(<= (next b) (does r b)) (<= terminal (not (true s)))\n"
               "(<= (goal r 70) (true a)) (<= (goal r 90) (true b)) (<= (goal r 0) (true s))");
  assert_float_equal(searched(f, (minimax_options){.depth = 1}).values[0], 90, 0);
}

/* Matching pennies: whoever is known to choose first gets nothing. */
static const char pennies[] =
    "(role x) (role y) (init s) (<= (legal ?r h) (role ?r)) (<= (legal ?r t) (role ?r))\n"
    "(<= (next (same)) (does x ?c) (does y ?c)) (<= (next (differ)) (does x ?c) (does y ?d) "
    "(distinct ?c ?d))\n"
    "(<= terminal (not (true s))) (<= (goal x 100) (true (same))) (<= (goal x 0) (true (differ)))\n"
    "(<= (goal y 0) (true (same))) (<= (goal y 80) (true (differ)))";

static void moves_at_once_are_bounded_and_never_exact(void **state) {
  machine_fixture *f = *state;
  open_game(f, pennies);
  const minimax_result full = searched(f, (minimax_options){.depth = 1});
  const minimax_result cut = searched(f, (minimax_options){.depth = 1, .alpha_beta = true});
  assert_values(&full, 0, 0);
  assert_values(&cut, 0, 0);
  assert_int_equal(full.sense, MINIMAX_BOUND);
  assert_int_equal(cut.sense, MINIMAX_BOUND);
  assert_float_equal(full.most[0], 100, 0);
  assert_float_equal(full.most[1], 80, 0);
  assert_null(cut.most);
  assert_false(minimax_is_exact(&full) || minimax_is_exact(&cut));
}

/* To defect is best whatever the other does: there is nothing to gain by chance. */
static void moves_at_once_are_exact_where_the_bounds_meet(void **state) {
  machine_fixture *f = *state;
  open_game(f,
            "(role x) (role y) (init s) (<= (legal ?r c) (role ?r)) (<= (legal ?r d) (role ?r))\n"
            "(<= (next (did ?r ?m)) (does ?r ?m)) (<= terminal (not (true s)))\n"
            "(other x y) (other y x) (pay c c 60) (pay c d 0) (pay d c 100) (pay d d 20)\n"
            "(<= (goal ?r ?n) (true (did ?r ?a)) (other ?r ?o) (true (did ?o ?b)) (pay ?a ?b ?n))");
  const minimax_result r = searched(f, (minimax_options){.depth = 1});
  assert_values(&r, 20, 20);
  assert_int_equal(r.sense, MINIMAX_GUARANTEE);
  assert_true(minimax_is_exact(&r));
}

/* Of three roles that choose at once the values are what each can make sure of, not max-n. */
static void of_many_roles_at_once_there_is_a_lower_bound(void **state) {
  machine_fixture *f = *state;
  open_game(f,
            "(role a) (role b) (role c) (init s) (legal a l) (legal a r) (legal b l) (legal b r)\n"
            "(legal c n) (<= (next (did ?r ?m)) (does ?r ?m)) (<= terminal (not (true s)))\n"
            "(<= (goal a 60) (true (did a l)) (true (did b l)))\n"
            "(<= (goal a 30) (true (did a l)) (true (did b r)))\n"
            "(<= (goal a 10) (true (did a r))) (goal b 50) (goal c 50)");
  const minimax_result r = searched(f, (minimax_options){.depth = 1});
  assert_values(&r, 30, 50);
  assert_int_equal(r.sense, MINIMAX_BOUND);
  assert_null(r.most);
}

static bool is_imperfect(machine_fixture *f, const char *game) {
  open_builtin(f, game);
  return has_imperfect_information(&f->p, f->m);
}

static void roles_that_see_only_a_part_have_imperfect_information(void **state) {
  assert_true(is_imperfect(*state, "monty-hall"));
}

static void without_sees_rules_roles_know_the_state(void **state) {
  assert_false(is_imperfect(*state, "rock-paper-scissors"));
}

static void random_moves_are_worth_their_mean(void **state) {
  machine_fixture *f = *state;
  open_game(
      f,
      "(role x) (role random) (init s) (legal x keep) (legal x (bet 0)) (legal random 1)\n"
      "(legal random 2) (legal random 3)\n"
      "(<= (next kept) (does x keep)) (<= (next (drawn ?n)) (does random ?n) (does x (bet ?y)))\n"
      "(<= terminal (not (true s))) (<= (goal x 40) (true kept))\n"
      "(<= (goal x 100) (true (drawn 3))) (<= (goal x 20) (true (drawn 2)))\n"
      "(<= (goal x 12) (true (drawn 1))) (goal random 0)");
  const minimax_result full = searched(f, (minimax_options){.depth = 1});
  const minimax_result cut = searched(f, (minimax_options){.depth = 1, .alpha_beta = true});
  assert_float_equal(full.values[0], 44, 1e-9);
  assert_float_equal(cut.values[0], 44, 1e-9);
  assert_int_equal(full.nodes[1], 6);
  assert_true(full.has_chance && cut.has_chance);
  assert_int_equal(full.sense, MINIMAX_BEST);
}

/* Three roles in turn: a does what is best for a, though c would like the other. */
static void of_many_roles_each_takes_the_best_for_itself(void **state) {
  machine_fixture *f = *state;
  open_game(f,
            "(role a) (role b) (role c) (init s) (legal a l) (legal a r) (legal b n) (legal c n)\n"
            "(<= (next l) (does a l)) (<= (next r) (does a r)) (<= terminal (not (true s)))\n"
            "(<= (goal a 60) (true l)) (<= (goal a 50) (true r)) (goal b 30)\n"
            "(<= (goal c 10) (true l)) (<= (goal c 100) (true r))");
  const minimax_result r = searched(f, (minimax_options){.depth = 1});
  assert_values(&r, 60, 30);
  assert_float_equal(r.values[2], 10, 0);
  assert_int_equal(r.sense, MINIMAX_MAX_N);
  assert_false(r.has_chance);
}

/* ---- leaves ---- */

static void what_lies_behind_the_depth_counts_as_even(void **state) {
  machine_fixture *f = *state;
  open_builtin(f, "tic-tac-toe");
  const minimax_result r = searched(f, (minimax_options){.depth = 2});
  assert_values(&r, HORIZON_VALUE, HORIZON_VALUE);
  assert_false(minimax_is_exact(&r));
}

static void a_role_that_cannot_move_is_told(void **state) {
  machine_fixture *f = *state;
  open_game(f, "(role r) (init s) (<= (legal r a) (true s)) (<= (next x) (does r a)) (goal r 1)");
  const minimax_result r = searched(f, (minimax_options){.depth = 3});
  assert_int_equal(r.faults, 1);
  assert_int_equal(r.fault.kind, FAULT_STUCK);
  assert_int_equal(r.fault.length, 1);
}

static void stops_at_the_limit(void **state) {
  machine_fixture *f = *state;
  minimax_result r;
  const minimax_options o = {.depth = 20};
  open_builtin(f, "chess");
  f->b = budget_new(0.05, 0);
  assert_false(minimax(&r, f->m, f->w, &o, f->keep));
  assert_int_equal(f->b.end, BUDGET_TIME);
}

/* 40 roles with two moves each have a million million joint moves in the first state. */
static void stops_among_the_joint_moves_of_one_state(void **state) {
  machine_fixture *f = *state;
  minimax_result r;
  const minimax_options o = {.depth = 1};
  text words = text_new(f->keep);
  for (int i = 0; i < 40; i++)
    text_add_format(&words, "(role r%d) (legal r%d a) (goal r%d 0)\n", i, i, i);
  text_add(&words, "(<= (legal ?r b) (role ?r)) (init s) (<= (next s) (true s))");
  open_game(f, text_string(&words));
  f->b = budget_new(0.05, 0);
  assert_false(minimax(&r, f->m, f->w, &o, f->keep));
  assert_int_equal(f->b.end, BUDGET_TIME);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      a_test(counts_what_perft_counts),
      a_test(counts_what_perft_counts_with_moves_at_once),
      a_test(plays_on_behind_the_end_when_told_to),
      a_test(alpha_beta_finds_the_same_values_with_fewer_states),
      a_test(tic_tac_toe_is_a_draw),
      a_test(one_role_takes_the_best),
      a_test(moves_at_once_are_bounded_and_never_exact),
      a_test(moves_at_once_are_exact_where_the_bounds_meet),
      a_test(of_many_roles_at_once_there_is_a_lower_bound),
      a_test(roles_that_see_only_a_part_have_imperfect_information),
      a_test(without_sees_rules_roles_know_the_state),
      a_test(random_moves_are_worth_their_mean),
      a_test(of_many_roles_each_takes_the_best_for_itself),
      a_test(what_lies_behind_the_depth_counts_as_even),
      a_test(a_role_that_cannot_move_is_told),
      a_test(stops_at_the_limit),
      a_test(stops_among_the_joint_moves_of_one_state),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
