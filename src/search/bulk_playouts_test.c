#include "machine/lane_fixture.h"
#include "machine/lanes/lanes_machine.h"
#include "search/bulk_playouts.h"

#include <math.h>
#include <stdlib.h>

static machine *open_lanes(machine_fixture *f, const char *words) {
  open_game(f, words);
  const machine_source from = {.program = &f->p};
  machine *m = machine_open("lanes", &from, &f->b, &f->d);
  assert_non_null(m);
  return m;
}

static playout_summary played(machine_fixture *f, const machine *m, playout_options o) {
  playout_summary s;
  if (!o.threads) o.threads = 1;
  assert_true(playouts_run(&s, m, &o, NULL, f->keep, &f->d));
  return s;
}

static void assert_same_summary(const playout_summary *a, const playout_summary *b,
                                uint32_t roles) {
  assert_int_equal(a->playouts, b->playouts);
  assert_int_equal(a->states, b->states);
  assert_int_equal(a->length_squares, b->length_squares);
  assert_int_equal(a->shortest, b->shortest);
  assert_int_equal(a->longest, b->longest);
  assert_int_equal(a->too_long, b->too_long);
  assert_int_equal(a->first_fault, b->first_fault);
  assert_memory_equal(a->faults, b->faults, sizeof a->faults);
  assert_memory_equal(a->roles, b->roles, roles * sizeof *a->roles);
}

/* Dice that are thrown until both show the same; one six and one five is a fault. */
static const char dice[] =
    "(role a) (role b) (init fresh) (face 1) (face 2) (face 3) (face 4) (face 5) (face 6)\n"
    "(<= (legal ?r (throw ?x)) (role ?r) (face ?x) (not fault))\n"
    "(<= fault (true (shows a 6)) (true (shows b 5)))\n"
    "(<= (next (shows ?r ?x)) (does ?r (throw ?x))) (goal b 50)\n"
    "(<= terminal (true (shows a ?x)) (true (shows b ?x)))\n"
    "(<= (goal a 100) (true (shows a 3))) (<= (goal a 0) (not (true (shows a 3))))";

static void the_result_is_the_same_with_any_number_of_threads(void **state) {
  machine_fixture *f = *state;
  machine *m = open_lanes(f, dice);
  const uint64_t part = lanes_part_size(m, NULL);
  playout_summary one = {0};
  for (uint32_t threads = 1; threads <= 3; threads++) {
    const playout_options o = {
        .seed = 21, .count = 5 * part + 1000, .max_steps = 40, .threads = threads};
    const playout_summary s = played(f, m, o);
    if (threads == 1) one = s;
    assert_same_summary(&one, &s, 2);
    assert_int_equal(s.fault.kind, FAULT_STUCK);
    assert_memory_equal(s.fault.position, one.fault.position, m->position_size);
    assert_int_equal(s.fault.length, one.fault.length);
    assert_memory_equal(s.fault.line, one.fault.line, s.fault.length * 2 * sizeof(move_id));
  }
  const playout_options other = {.seed = 22, .count = 5 * part + 1000, .max_steps = 40};
  assert_int_not_equal(played(f, m, other).length_squares, one.length_squares);
  machine_close(m);
}

static void as_many_games_are_played_as_are_asked_for(void **state) {
  machine_fixture *f = *state;
  machine *m = open_lanes(f, dice);
  const uint64_t part = lanes_part_size(m, NULL);
  const uint64_t counts[] = {1, 511, 513, part - 1, part, part + 1, 2 * part + 17};
  for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
    const playout_summary s = played(f, m, (playout_options){.seed = i, .count = counts[i]});
    assert_int_equal(s.playouts + s.faults[FAULT_STUCK], counts[i]);
    assert_int_equal(s.roles[1].histogram[50], s.playouts);
    assert_int_equal(s.roles[0].histogram[0] + s.roles[0].histogram[100], s.playouts);
  }
  machine_close(m);
}

/* The first fault of lanes is a fault for `reference`, too. */
static void a_fault_is_shown_with_the_way_there(void **state) {
  machine_fixture *f = *state;
  machine *m = open_lanes(f, dice);
  const playout_summary s = played(f, m, (playout_options){.seed = 23, .count = 20000});
  text words = text_new(f->keep);
  fault_describe(&s.fault, m, &words);
  assert_non_null(
      strstr(text_string(&words), "a has no legal move, and the state is not terminal"));
  assert_non_null(strstr(text_string(&words), "(shows a 6)\n    (shows b 5)\n"));
  for (uint32_t i = 0; i < s.fault.length; i++) {
    move_id joint[2];
    for (uint32_t role = 0; role < 2; role++) {
      text move = text_new(f->keep);
      m->ops->move_text(m, role, s.fault.line[i * 2 + role], &move);
      joint[role] = move_named(f, role, text_string(&move));
    }
    machine_step(f->m, f->w, f->position, joint, f->position);
  }
  assert_string_equal(fluents_now(f), "(shows a 6) (shows b 5)");
  machine_close(m);
}

/* After (m 1) it has one goal, after (m 2) two, after (m 3) none: only the first is counted. */
static void chance_needs_no_goal(void **state) {
  machine_fixture *f = *state;
  machine *m =
      open_lanes(f, "(role random) (role a) (init go) (goal a 100) (legal a wait)\n"
                    "(legal random (m 1)) (legal random (m 2)) (legal random (m 3))\n"
                    "(<= (next (did ?x)) (does random (m ?x))) (<= terminal (true (did ?x)))\n"
                    "(<= (goal random 40) (true (did 1))) (<= (goal random 0) (true (did 2)))\n"
                    "(<= (goal random 1) (true (did 2)))");
  const playout_summary s = played(f, m, (playout_options){.count = 300});
  assert_int_equal(s.playouts, 300);
  assert_int_equal(s.roles[1].games, 300);
  assert_int_equal(s.roles[1].histogram[100], 300);
  assert_in_range(s.roles[0].games, 50, 150);
  assert_int_equal(s.roles[0].histogram[40], s.roles[0].games);
  assert_int_equal(s.roles[0].histogram[0] + s.roles[0].histogram[1], 0);
  assert_true(playouts_mean_goal(&s, 0) == 40);
  machine_close(m);
}

static void games_that_are_too_long_are_counted_apart(void **state) {
  machine_fixture *f = *state;
  machine *m = open_lanes(f, "(role a) (legal a x) (goal a 1)");
  const playout_summary s = played(f, m, (playout_options){.count = 1500, .max_steps = 10});
  assert_int_equal(s.playouts, 0);
  assert_int_equal(s.shortest, 0);
  assert_int_equal(s.too_long, 1500);
  machine_close(m);
}

static void stops_when_its_time_is_over(void **state) {
  machine_fixture *f = *state;
  machine *m = open_lanes(f, dice);
  uint64_t playouts = 0;
  for (double seconds = 0.05; playouts == 0; seconds *= 2)
    playouts = played(f, m, (playout_options){.seconds = seconds, .threads = 2}).playouts;
  machine_close(m);
}

static void a_spent_budget_is_told(void **state) {
  machine_fixture *f = *state;
  machine *m = open_lanes(f, "(role a) (legal a x) (goal a 1)");
  budget b = budget_new(0.02, 0);
  playout_summary s;
  const playout_options o = {.count = 1000, .threads = 2};
  assert_false(playouts_run(&s, m, &o, &b, f->keep, &f->d));
  assert_int_equal(b.end, BUDGET_TIME);
  assert_int_equal(s.playouts, 0);
  machine_close(m);
}

/* ---- devices ---- */

static machine *open_devices(machine_fixture *f, const char *devices) {
  const machine_source from = {.program = &f->p};
  setenv("TABIA_GPU", devices, 1);
  machine *m = machine_open("gpu", &from, &f->b, &f->d);
  unsetenv("TABIA_GPU");
  assert_non_null(m);
  return m;
}

/* They share parts, and find the same games and the same first fault as `lanes`. */
static void several_devices_play_the_same(void **state) {
  machine_fixture *f = *state;
  machine *lanes = open_lanes(f, dice), *gpu = open_devices(f, "emulator,devices=3");
  const uint64_t size = lanes->ops->bulk_play->part_size(lanes, NULL);
  const playout_options o = {.seed = 7, .count = 2 * size + 100, .counter = true};
  const playout_summary a = played(f, lanes, o), b = played(f, gpu, o);
  assert_int_equal(a.playouts + a.faults[FAULT_STUCK], o.count);
  assert_same_summary(&a, &b, 2);
  machine_close(lanes);
  machine_close(gpu);
}

static void a_device_that_fails_is_told(void **state) {
  machine_fixture *f = *state;
  machine *lanes = open_lanes(f, dice), *gpu = open_devices(f, "emulator,fail=2");
  const playout_options o = {.count = 1000000, .counter = true, .threads = 1};
  budget b = budget_new(0, 0);
  playout_summary s;
  assert_false(playouts_run(&s, gpu, &o, &b, f->keep, &f->d));
  assert_int_equal(b.end, BUDGET_DEVICE);
  assert_string_equal(vec_last(&f->d.all).message,
                      "not all playouts were played: the emulator fails, as it was told");
  machine_close(lanes);
  machine_close(gpu);
}

/* ---- random tic-tac-toe is known ---- */

static void assert_near(double found, double expected, double deviation, uint64_t samples) {
  const double error = deviation / sqrt((double)samples);
  print_message("%.5f, expected %.5f, standard error %.5f\n", found, expected, error);
  /* the figures are rounded to five digits */
  assert_true(fabs(found - expected) < 4 * error + 5e-6);
}

static void random_tic_tac_toe_ends_as_it_must(void **state) {
  machine_fixture *f = *state;
  machine *m = open_lanes(f, builtin_text(f, "tic-tac-toe"));
  const playout_summary s =
      played(f, m, (playout_options){.seed = 1, .count = 10000000, .threads = 2});
  const uint64_t n = s.playouts;
  const double won = 0.58492, lost = 0.28810, drawn = 0.12698, mean = (double)s.states / (double)n;
  assert_int_equal(n, 10000000);
  assert_near((double)s.roles[0].histogram[100] / (double)n, won, sqrt(won * (1 - won)), n);
  assert_near((double)s.roles[0].histogram[0] / (double)n, lost, sqrt(lost * (1 - lost)), n);
  assert_near((double)s.roles[0].histogram[50] / (double)n, drawn, sqrt(drawn * (1 - drawn)), n);
  assert_int_equal(s.roles[1].histogram[100], s.roles[0].histogram[0]);
  assert_near(mean, 7.62619, sqrt((double)s.length_squares / (double)n - mean * mean), n);
  assert_int_equal(s.shortest, 5);
  assert_int_equal(s.longest, 9);
  machine_close(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      a_test(the_result_is_the_same_with_any_number_of_threads),
      a_test(as_many_games_are_played_as_are_asked_for),
      a_test(a_fault_is_shown_with_the_way_there),
      a_test(chance_needs_no_goal),
      a_test(games_that_are_too_long_are_counted_apart),
      a_test(stops_when_its_time_is_over),
      a_test(a_spent_budget_is_told),
      a_test(several_devices_play_the_same),
      a_test(a_device_that_fails_is_told),
      a_test(random_tic_tac_toe_ends_as_it_must),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
