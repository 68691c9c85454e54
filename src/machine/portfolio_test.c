#include "machine/portfolio.h"

#include "machine/machine_fixture.h"
#include "machine/step_speed.h"

/* Three moves in every state; it is over after two of them. */
static const char three_moves[] =
    "(role r) (init (at 0)) (succ 0 1) (succ 1 2) (succ 2 3) (succ 3 0)\n"
    "(legal r a) (legal r b) (legal r c)\n"
    "(<= (next (at ?n)) (true (at ?m)) (succ ?m ?n))\n"
    "(<= terminal (true (at 2))) (goal r 0)";

static uint64_t steps_of(machine_fixture *f, speed_trial_shape shape, uint32_t states) {
  speed_trial *t = speed_trial_new(f->m, shape, f->keep, &f->b);
  assert_true(speed_trial_go_on(t, states) >= 0);
  const uint64_t steps = speed_trial_steps(t);
  speed_trial_end(t);
  return steps;
}

static void in_play_every_state_has_one_successor(void **state) {
  machine_fixture *f = *state;
  open_game(f, three_moves);
  assert_int_equal(steps_of(f, (speed_trial_shape){.successors = 1}, 100), 100);
}

static void several_successors_are_at_most_all(void **state) {
  machine_fixture *f = *state;
  open_game(f, three_moves);
  assert_int_equal(steps_of(f, (speed_trial_shape){.successors = 2}, 100), 200);
  assert_int_equal(steps_of(f, (speed_trial_shape){.successors = 8}, 100), 300);
}

/* The tree of a search to depth 2 has one step to each state that has the last moves, and there
   all of them. */
static void a_search_makes_all_of_its_last_moves(void **state) {
  machine_fixture *f = *state;
  open_game(f, three_moves);
  assert_int_equal(steps_of(f, (speed_trial_shape){.successors = 256, .depth = 1}, 100), 300);
  assert_int_equal(steps_of(f, (speed_trial_shape){.successors = 256, .depth = 2}, 100), 200);
}

/* To depth 3 there are 3 + 9 steps to states that have moves, each made in a visit of its own, and
   9 visits with the 27 steps at the end. */
static void most_of_a_search_is_at_its_end(void **state) {
  machine_fixture *f = *state;
  open_game(f, three_moves);
  const speed_trial_shape shape = {.successors = 256, .depth = 3, .plays_on = true};
  const double steps_a_visit = (double)steps_of(f, shape, 20000) / 20000;
  const double expected = (3 + 9 + 27) / (3.0 + 9 + 9);
  assert_true(steps_a_visit > 0.97 * expected && steps_a_visit < 1.03 * expected);
}

static void where_the_game_ends_a_search_goes_on_elsewhere(void **state) {
  machine_fixture *f = *state;
  open_game(f, three_moves);
  const speed_trial_shape shape = {.successors = 256, .depth = 3};
  assert_int_equal(steps_of(f, shape, 5000), 5000); /* no state has last moves */
}

static void a_game_that_is_over_at_once_has_no_search(void **state) {
  machine_fixture *f = *state;
  open_game(f, "(role r) (init z) (legal r go) (<= terminal (true z)) (goal r 0)");
  assert_int_equal(steps_of(f, (speed_trial_shape){.successors = 256, .depth = 3}, 100), 0);
}

static void a_walk_is_the_same_in_every_encoding(void **state) {
  machine_fixture *f = *state;
  open_builtin(f, "tic-tac-toe");
  const speed_trial_shape shape = {.successors = 256, .depth = 7};
  const uint64_t expected = steps_of(f, shape, 3000);
  for (uint32_t e = ENCODING_DIRECT; e < ENCODING_COUNT; e++) {
    encoded_program encoded;
    frame_encode(&encoded, &f->p, (frame_encoding)e, SCOPE_GAMES, f->keep, &f->b);
    const machine_source from = {.program = encoded.program,
                                 .inertia_count = encoded.frame.inertia_count};
    machine *m = machine_open("datalog", &from, &f->b, &f->d);
    assert_non_null(m);
    speed_trial *t = speed_trial_new(m, shape, f->keep, &f->b);
    assert_true(speed_trial_go_on(t, 3000) >= 0);
    assert_int_equal(speed_trial_steps(t), expected);
    speed_trial_end(t);
    machine_close(m);
  }
}

static void choose(portfolio *p, machine_fixture *f, uint32_t depth, budget *limits) {
  const machine_source from = {.program = &f->p};
  const portfolio_task task = {
      .kind = "datalog", .source = &from, .scope = SCOPE_GAMES, .depth = depth, .seconds = 0.02};
  portfolio_choose(p, &task, f->keep, limits);
}

static void without_frame_rules_there_is_no_choice(void **state) {
  machine_fixture *f = *state;
  open_game(f, three_moves);
  portfolio p;
  choose(&p, f, 0, &f->b);
  assert_int_equal(p.best, ENCODING_ORIGINAL);
  assert_true(p.relative_time[ENCODING_ORIGINAL] == 1);
  assert_true(p.relative_time[ENCODING_PRUNED] == 0);
}

/* 1,000 squares, of which a move changes one: several times faster when the rest is not copied. */
static void what_is_many_times_faster_is_chosen(void **state) {
  machine_fixture *f = *state;
  text words = text_new(f->keep);
  text_add(&words, "(role r) (init (cell 0 off))\n");
  for (int i = 0; i < 1000; i++) text_add_format(&words, "(square %d) (init (cell %d off))", i, i);
  text_add(&words, "(<= (legal r (put ?x)) (square ?x))\n"
                   "(<= (next (cell ?x on)) (does r (put ?x)))\n"
                   "(<= (next (cell ?x ?v)) (true (cell ?x ?v)) (does r (put ?y))\n"
                   "    (distinct ?x ?y))\n"
                   "(<= terminal (true (cell 0 on))) (goal r 0)");
  open_game(f, text_string(&words));
  for (uint32_t depth = 0; depth <= 3; depth += 3) {
    portfolio p;
    choose(&p, f, depth, &f->b);
    assert_int_not_equal(p.best, ENCODING_ORIGINAL);
    assert_true(p.relative_time[p.best] > 0);
  }
}

/* A join of three of 60 cells decides what stays.  The direct covering has to ask it of moves that
   are never made together, and is tens of times slower; who is so far behind leaves the trial when
   his time is over. */
static void what_is_far_slower_leaves_the_trial(void **state) {
  machine_fixture *f = *state;
  text words = text_new(f->keep);
  text_add(&words, "(role x) (role y) (init (turn x))\n");
  for (int i = 0; i < 60; i++) text_add_format(&words, "(n %d) (init (c %d e))", i, i);
  text_add(&words, "(<= (legal ?p (mark ?n)) (true (turn ?p)) (true (c ?n e)))\n"
                   "(<= (legal ?p noop) (role ?p) (not (true (turn ?p))))\n"
                   "(<= (next (turn x)) (true (turn y))) (<= (next (turn y)) (true (turn x)))\n"
                   "(<= (heavy ?a ?d) (true (c ?a ?v)) (true (c ?b ?v)) (true (c ?d ?v))\n"
                   "    (distinct ?a ?b) (distinct ?b ?d))\n"
                   "(<= (next (c ?n ?p)) (does ?p (mark ?n)) (n ?n) (heavy ?n ?z))\n"
                   "(<= (next (c ?n ?v)) (true (c ?n ?v)) (does ?p (mark ?m)) (distinct ?n ?m)\n"
                   "    (heavy ?n ?z))\n"
                   "(<= terminal (true (c 0 x))) (<= (goal ?p 0) (role ?p))");
  open_game(f, text_string(&words));
  portfolio p;
  choose(&p, f, 1, &f->b);
  assert_int_equal(p.encodings[ENCODING_DIRECT].used, ENCODING_DIRECT);
  assert_true(p.relative_time[ENCODING_DIRECT] == 0);
  assert_int_not_equal(p.best, ENCODING_DIRECT);
}

/* A limit that is reached leaves the rules as they are. */
static void without_time_the_rules_stay_as_they_are(void **state) {
  machine_fixture *f = *state;
  open_builtin(f, "tic-tac-toe");
  budget spent = budget_new(1e-9, 0);
  portfolio p;
  choose(&p, f, 0, &spent);
  assert_int_equal(p.best, ENCODING_ORIGINAL);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      a_test(in_play_every_state_has_one_successor),
      a_test(several_successors_are_at_most_all),
      a_test(a_search_makes_all_of_its_last_moves),
      a_test(most_of_a_search_is_at_its_end),
      a_test(where_the_game_ends_a_search_goes_on_elsewhere),
      a_test(a_game_that_is_over_at_once_has_no_search),
      a_test(a_walk_is_the_same_in_every_encoding),
      a_test(without_frame_rules_there_is_no_choice),
      a_test(what_is_many_times_faster_is_chosen),
      a_test(what_is_far_slower_leaves_the_trial),
      a_test(without_time_the_rules_stay_as_they_are),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
