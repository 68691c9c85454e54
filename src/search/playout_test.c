#include "machine/machine_fixture.h"
#include "search/playout.h"

/* Two dice that are thrown until both show the same; the moves decide. */
static const char dice[] =
    "(role a) (role b) (init fresh) (face 1) (face 2) (face 3)\n"
    "(<= (legal ?r (throw ?x)) (role ?r) (face ?x)) (<= (next (shows ?r ?x)) (does ?r (throw ?x)))\n"
    "(<= terminal (true (shows a ?x)) (true (shows b ?x)))\n"
    "(<= (goal a 100) (true (shows a 3))) (<= (goal a 0) (not (true (shows a 3)))) (goal b 50)";

static playout_summary played(machine_fixture *f, playout_options o) {
  playout_summary s;
  if (!o.threads) o.threads = 1;
  assert_true(playouts_run(&s, f->m, &o, NULL, f->keep, &f->d));
  return s;
}

static void counts_lengths_and_goals(void **state) {
  machine_fixture *f = *state;
  open_game(f, dice);
  const playout_summary s = played(f, (playout_options){.seed = 7, .count = 3000});
  assert_int_equal(s.playouts, 3000);
  assert_int_equal(s.shortest, 1);
  assert_in_range(s.states, 8500, 9500); /* three throws on average */
  assert_in_range(s.roles[0].histogram[100], 900, 1100);
  assert_int_equal(s.roles[0].histogram[0] + s.roles[0].histogram[100], 3000);
  assert_int_equal(s.roles[0].sum, 100 * s.roles[0].histogram[100]);
  assert_int_equal(s.roles[1].histogram[50], 3000);
}

static void counts_states_in_which_several_choose_at_once(void **state) {
  machine_fixture *f = *state;
  open_game(f, dice);
  const playout_summary s = played(f, (playout_options){.seed = 7, .count = 10});
  assert_int_equal(s.choices.by_several, s.states);
  assert_true(s.choices.joint_moves == 9.0 * (double)s.states);
}

static void counts_states_in_which_one_or_none_has_a_choice(void **state) {
  machine_fixture *f = *state;
  open_game(f,
            "(role a) (role b) (init (step 0)) (after 0 1) (after 1 2) (goal a 1) (goal b 1)\n"
            "(<= (next (step ?y)) (true (step ?x)) (after ?x ?y)) (<= terminal (true (step 2)))\n"
            "(legal a x) (legal b x) (<= (legal b y) (true (step 0)))");
  const playout_summary s = played(f, (playout_options){.seed = 7, .count = 10});
  assert_int_equal(s.choices.by_one, 10);
  assert_int_equal(s.choices.by_none, 10);
  assert_int_equal(s.choices.by_several, 0);
  assert_true(s.choices.joint_moves == 30.0);
}

static void the_seed_alone_decides_whatever_the_threads(void **state) {
  machine_fixture *f = *state;
  open_game(f, dice);
  const playout_summary one = played(f, (playout_options){.seed = 3, .count = 500});
  const playout_summary four = played(f, (playout_options){.seed = 3, .count = 500, .threads = 4});
  const playout_summary other = played(f, (playout_options){.seed = 4, .count = 500});
  assert_int_equal(one.states, four.states);
  assert_int_equal(one.length_squares, four.length_squares);
  assert_int_equal(one.longest, four.longest);
  assert_memory_equal(one.roles, four.roles, 2 * sizeof *one.roles);
  assert_int_not_equal(one.length_squares, other.length_squares);
}

static const char *fault_of(machine_fixture *f, const playout_summary *s) {
  text words = text_new(f->keep);
  fault_describe(&s->fault, f->m, &words);
  return text_string(&words);
}

static void a_role_that_cannot_move_is_told_and_not_counted(void **state) {
  machine_fixture *f = *state;
  open_game(f, "(role a) (init go) (<= (legal a x) (true go)) (goal a 1) (<= terminal (true end))");
  const playout_summary s = played(f, (playout_options){.count = 10});
  assert_int_equal(s.playouts, 0);
  assert_int_equal(s.states, 0);
  assert_int_equal(s.shortest, 0);
  assert_int_equal(s.faults[FAULT_STUCK], 10);
  assert_int_equal(s.first_fault, 0);
  assert_string_equal(fault_of(f, &s),
                      "a fault of the game: a has no legal move, and the state is not terminal\n"
                      "  after the moves\n    1. x\n  in the state\n");
}

static void several_goals_are_told_and_not_counted(void **state) {
  machine_fixture *f = *state;
  open_game(f, "(role a) (role b) (init go) (goal a 1) (goal b 1) (goal b 2) (legal a x)\n"
               "(<= terminal (true go))");
  const playout_summary s = played(f, (playout_options){.count = 3, .threads = 2});
  assert_int_equal(s.playouts, 0);
  assert_int_equal(s.faults[FAULT_SEVERAL_GOALS], 3);
  assert_string_equal(fault_of(f, &s), "a fault of the game: b has several goals in a terminal "
                                       "state\n  at the start\n  in the state\n    go\n");
}

/* After (m 1) it has one goal, after (m 2) two, after (m 3) none: only the first is counted. */
static void chance_needs_no_goal(void **state) {
  machine_fixture *f = *state;
  open_game(f, "(role random) (role a) (init go) (goal a 100) (legal a wait)\n"
               "(legal random (m 1)) (legal random (m 2)) (legal random (m 3))\n"
               "(<= (next (did ?x)) (does random (m ?x))) (<= terminal (true (did ?x)))\n"
               "(<= (goal random 40) (true (did 1))) (<= (goal random 0) (true (did 2)))\n"
               "(<= (goal random 1) (true (did 2)))");
  const playout_summary s = played(f, (playout_options){.count = 300});
  assert_int_equal(s.playouts, 300);
  assert_int_equal(s.roles[1].games, 300);
  assert_int_equal(s.roles[1].histogram[100], 300);
  assert_in_range(s.roles[0].games, 50, 150);
  assert_int_equal(s.roles[0].histogram[40], s.roles[0].games);
  assert_int_equal(s.roles[0].histogram[0] + s.roles[0].histogram[1], 0);
  assert_true(playouts_mean_goal(&s, 0) == 40);
}

static void no_goal_is_told_and_not_counted(void **state) {
  machine_fixture *f = *state;
  open_game(f, "(role a) (legal a (m 1)) (legal a (m 2)) (<= (next (did ?x)) (does a (m ?x)))\n"
               "(<= terminal (true (did ?x))) (<= (goal a 100) (true (did 1)))");
  const playout_summary s = played(f, (playout_options){.count = 100});
  assert_int_equal(s.playouts + s.faults[FAULT_NO_GOAL], 100);
  assert_int_equal(s.roles[0].histogram[100], s.playouts);
  assert_in_range(s.playouts, 20, 80);
  assert_string_equal(fault_of(f, &s), "a fault of the game: a has no goal in a terminal state\n"
                                       "  after the moves\n    1. (m 2)\n"
                                       "  in the state\n    (did 2)\n");
}

static void a_playout_that_is_too_long_is_given_up(void **state) {
  machine_fixture *f = *state;
  open_game(f, "(role a) (legal a x) (goal a 1)");
  const playout_summary s = played(f, (playout_options){.count = 5, .max_steps = 10});
  assert_int_equal(s.playouts, 0);
  assert_int_equal(s.too_long, 5);
}

static void trouble_stops_all_threads(void **state) {
  machine_fixture *f = *state;
  playout_summary s;
  open_game(f,
            "(role a) (legal a x) (<= (goal a 1) p) (<= p (not p)) (<= terminal (not (true y)))");
  const playout_options o = {.threads = 3};
  assert_false(playouts_run(&s, f->m, &o, NULL, f->keep, &f->d));
  assert_int_equal(s.playouts, 0);
  assert_int_equal(f->d.errors, 1);
}

static void stops_when_its_time_is_over(void **state) {
  machine_fixture *f = *state;
  open_game(f, dice);
  uint64_t playouts = 0;
  for (double seconds = 0.05; playouts == 0; seconds *= 2)
    playouts = played(f, (playout_options){.seconds = seconds, .threads = 2}).playouts;
}

/* ---- games without an end ---- */

static const char endless[] = "(role a) (legal a on) (legal a back) (goal a 50) (init here)\n"
                              "(<= (next here) (true here)) (<= terminal (true there))\n"
                              "(<= (next there) (true there))";

/* Opens the game on each kind of machine that can play it here. */
static machine *open_on(machine_fixture *f, const machine_ops *kind) {
  const machine_source from = {.program = &f->p, .bulk = BULK_PLAYOUTS};
  machine *m = machine_open(kind->name, &from, &f->b, &f->d);
  if (!m) assert_string_equal(kind->name, "compiled"); /* there may be no compiler */
  return m;
}

static void a_limit_ends_a_game_that_has_no_end_on_every_machine(void **state) {
  machine_fixture *f = *state;
  open_game(f, endless);
  const playout_options o = {.seed = 1, .count = 1, .threads = 1};
  for (const machine_ops *const *kind = machine_kinds; *kind; kind++) {
    machine *m = open_on(f, *kind);
    if (!m) continue;
    playout_summary s;
    budget b = budget_new(0.05, 0);
    assert_false(playouts_run(&s, m, &o, &b, f->keep, &f->d));
    assert_int_equal(b.end, BUDGET_TIME);
    assert_int_equal(s.playouts, 0);
    machine_close(m);
  }
}

static void another_thread_can_end_it(void **state) {
  machine_fixture *f = *state;
  open_game(f, endless);
  const playout_options o = {.seed = 1, .count = 1, .threads = 2};
  const volatile sig_atomic_t stop = 1;
  budget b = budget_new(0, 0);
  playout_summary s;
  b.interrupted = &stop;
  assert_false(playouts_run(&s, f->m, &o, &b, f->keep, &f->d));
  assert_int_equal(b.end, BUDGET_INTERRUPT);
}

static void the_time_for_playing_ends_it_too(void **state) {
  machine_fixture *f = *state;
  open_game(f, endless);
  const playout_options o = {.seed = 1, .seconds = 0.05, .threads = 1};
  for (const machine_ops *const *kind = machine_kinds; *kind; kind++) {
    machine *m = open_on(f, *kind);
    if (!m) continue;
    playout_summary s;
    assert_false(playouts_run(&s, m, &o, NULL, f->keep, &f->d));
    assert_non_null(strstr(vec_last(&f->d.all).message, "no game came to its end"));
    machine_close(m);
  }
}

static void the_last_moves_before_a_fault_are_shown(void **state) {
  machine_fixture *f = *state;
  open_game(f,
            "(role a) (init (at 0)) (goal a 0) (<= (legal a (to ?y)) (true (at ?x)) (after ?x ?y))"
            "(<= (next (at ?x)) (does a (to ?x))) (<= terminal (true never))"
            "(<= (after (d ?x ?y) (d ?x ?z)) (digit ?x) (up ?y ?z))"
            "(<= (after (d ?x 9) (d ?y 0)) (up ?x ?y)) (after 0 (d 0 1))"
            "(digit 0) (digit 1) (digit 2) (digit 3) (digit 4)"
            "(up 0 1) (up 1 2) (up 2 3) (up 3 4) (up 4 5) (up 5 6) (up 6 7) (up 7 8) (up 8 9)");
  const playout_summary s = played(f, (playout_options){.seed = 1, .count = 1});
  assert_int_equal(s.fault.length, 50); /* to (d 5 0), from which nothing goes on */
  text words = text_new(f->keep);
  fault_describe(&s.fault, f->m, &words);
  assert_non_null(
      strstr(text_string(&words), "after 50 moves, the last of which are\n    11. (to"));
  assert_null(strstr(text_string(&words), " 10. "));
  assert_non_null(strstr(text_string(&words), " 50. "));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      a_test(counts_lengths_and_goals),
      a_test(counts_states_in_which_several_choose_at_once),
      a_test(counts_states_in_which_one_or_none_has_a_choice),
      a_test(the_seed_alone_decides_whatever_the_threads),
      a_test(a_role_that_cannot_move_is_told_and_not_counted),
      a_test(several_goals_are_told_and_not_counted),
      a_test(chance_needs_no_goal),
      a_test(no_goal_is_told_and_not_counted),
      a_test(a_playout_that_is_too_long_is_given_up),
      a_test(trouble_stops_all_threads),
      a_test(stops_when_its_time_is_over),
      a_test(a_limit_ends_a_game_that_has_no_end_on_every_machine),
      a_test(another_thread_can_end_it),
      a_test(the_time_for_playing_ends_it_too),
      a_test(the_last_moves_before_a_fault_are_shown),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
