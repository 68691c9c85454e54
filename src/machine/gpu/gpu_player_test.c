#include "machine/gpu/gpu_player.h"

#include "machine/gpu/emulated_device.h"
#include "machine/gpu/faulty_game_fixture.h"
#include "machine/lane_fixture.h"

/* A game on `lanes`, and the same net on an emulated device. */
typedef struct gpu_game {
  lane_game *lanes;
  lane_net net;
  gpu_device *device;
  gpu_code code;
} gpu_game;

static gpu_game *gpu_game_new(machine_fixture *f, const char *words, gpu_shape shape,
                              gpu_start start) {
  gpu_game *x = arena_alloc_zero(f->keep, sizeof *x);
  gpu_step step;
  open_game(f, words);
  x->lanes = lane_game_new(f, NET_PLAYS, lane_engine_best(), lane_jit_is_possible());
  assert_true(lane_net_build(&x->net, &x->lanes->g.circuit, NET_PLAYS, false, f->keep, NULL));
  x->device = emulated_device_open(f->keep);
  gpu_step_make(&step, &x->lanes->g, &x->net, start, f->keep);
  if (!gpu_code_make(&x->code, x->device, &step, shape, f->keep))
    fail_msg("%s", x->device->message);
  return x;
}

static void gpu_game_free(gpu_game *x) {
  gpu_code_free(&x->code);
  gpu_device_close(x->device);
  lane_game_free(x->lanes);
}

static gpu_result played(machine_fixture *f, gpu_game *x, bulk_parts parts, const uint32_t *flips) {
  gpu_result r;
  if (!gpu_play(&x->code, &parts, flips, &r, f->keep, NULL)) fail_msg("%s", x->device->message);
  return r;
}

static void assert_same_lengths(const bulk_tally *t, const gpu_result *r) {
  uint32_t different = 0;
  for (uint32_t i = 0; i < r->length_count; i++)
    different += r->lengths[i] != (i < t->lengths.count ? t->lengths.items[i] : 0);
  assert_int_equal(different, 0);
}

static void assert_same_goals(const gpu_game *x, const bulk_tally *t, const gpu_result *r) {
  for (uint32_t i = 0; i < x->lanes->g.circuit.goals.count; i++)
    if (x->code.step.counters[i] != ID_NONE)
      assert_int_equal(r->sums[PTX_SUMS + x->code.step.counters[i]], t->goals[i]);
}

static void assert_same_games(const gpu_game *x, const bulk_tally *t, const gpu_result *r) {
  assert_same_lengths(t, r);
  assert_same_goals(x, t, r);
  assert_int_equal(r->sums[SUM_TOO_LONG], t->too_long);
  assert_int_equal(r->sums[SUM_STUCK], t->faults[FAULT_STUCK]);
  assert_int_equal(r->sums[SUM_NO_GOAL], t->faults[FAULT_NO_GOAL]);
  assert_int_equal(r->sums[SUM_SEVERAL_GOALS], t->faults[FAULT_SEVERAL_GOALS]);
}

static const gpu_shape small = {.threads = 8, .registers = UINT32_MAX};
static const gpu_shape tight = {
    .threads = 16, .registers = GPU_REGISTERS_LEAST, .shared_slots = 40, .barrier = 50};

/* Plays one part on both, in some shape. */
static void assert_part(machine_fixture *f, const char *words, gpu_shape shape, bulk_part part) {
  gpu_game *x = gpu_game_new(f, words, shape, START_OF_RULES);
  const bulk_parts one = {.first = part, .count = 1, .last_starts = part.starts};
  const bulk_tally t = tally_of(f, x->lanes, part);
  const gpu_result r = played(f, x, one, NULL);
  assert_same_games(x, &t, &r);
  const bool has_fault = t.first.kind != FAULT_NONE;
  assert_true((r.sums[SUM_FAULTY] == part.number) == has_fault);
  gpu_game_free(x);
}

static void games_are_those_of_lanes(void **state) {
  static const char *const games[] = {"tic-tac-toe", "connect-four", "simultaneous-tic-tac-toe",
                                      "hex-5",       "monty-hall",   "four-player-tron"};
  machine_fixture *f = *state;
  const bulk_part part = {
      .seed = 5, .number = UINT64_C(5) << 32, .starts = 1000, .max_steps = 60, .counter = true};
  for (uint32_t i = 0; i < sizeof games / sizeof *games; i++)
    assert_part(f, builtin_text(f, games[i]), small, part);
}

static void so_they_are_with_few_registers(void **state) {
  static const char *const games[] = {"connect-four", "hex-5", "breakthrough-6", "kalah"};
  machine_fixture *f = *state;
  const bulk_part part = {.seed = 9, .number = 2, .starts = 300, .max_steps = 300, .counter = true};
  for (uint32_t i = 0; i < sizeof games / sizeof *games; i++)
    assert_part(f, builtin_text(f, games[i]), tight, part);
}

static void any_number_of_games_is_played(void **state) {
  static const uint64_t starts[] = {1, 15, 17, 511, 513, 1500};
  machine_fixture *f = *state;
  for (uint32_t i = 0; i < sizeof starts / sizeof *starts; i++) {
    const bulk_part part = {.seed = i, .starts = starts[i], .max_steps = 20, .counter = true};
    assert_part(f, builtin_text(f, "tic-tac-toe"), small, part);
  }
}

/* Games of different lengths, of which the longer ones are given up. */
static void games_that_are_too_long_are_given_up(void **state) {
  machine_fixture *f = *state;
  for (uint64_t most = 5; most < 10; most++) {
    const bulk_part part = {.seed = 3, .starts = 900, .max_steps = most, .counter = true};
    assert_part(f, builtin_text(f, "tic-tac-toe"), small, part);
  }
}

/* Up to some hundred steps: more than bits of ages can say, and than there are counters near. */
static void long_games_are_counted(void **state) {
  static const char six_in_a_row[] =
      "(role r) (init (at 0)) (up 0 1) (up 1 2) (up 2 3) (up 3 4) (up 4 5) (up 5 6)\n"
      "(legal r go) (legal r back) (<= (next (at 0)) (does r back))\n"
      "(<= (next (at ?y)) (true (at ?x)) (does r go) (up ?x ?y)) (<= terminal (true (at 6)))\n"
      "(goal r 100)";
  machine_fixture *f = *state;
  for (uint64_t most = 0; most < 900; most += 300) {
    const bulk_part part = {
        .seed = most, .number = 1, .starts = 1500, .max_steps = most, .counter = true};
    assert_part(f, six_in_a_row, small, part);
    assert_part(f, six_in_a_row, tight, part);
  }
}

/* Every step is an end: all wait to be counted, and end again. */
static void games_without_a_step_are_counted(void **state) {
  machine_fixture *f = *state;
  const bulk_part part = {.seed = 1, .number = 7, .starts = 1234, .counter = true};
  assert_part(f, "(role r) (init here) (legal r go) (<= terminal (true here)) (goal r 100)", small,
              part);
}

static void faults_are_those_of_lanes(void **state) {
  machine_fixture *f = *state;
  const bulk_part part = {
      .seed = 1, .number = 77, .starts = 1000, .max_steps = 99, .counter = true};
  assert_part(f, faulty_game, small, part);
  assert_part(f, faulty_game, tight, part);
}

static void parts_are_played_together(void **state) {
  machine_fixture *f = *state;
  gpu_game *x = gpu_game_new(f, builtin_text(f, "connect-four"), small, START_OF_RULES);
  const bulk_part part = {.seed = 4, .number = 10, .starts = 530, .max_steps = 49, .counter = true};
  const bulk_parts three = {.first = part, .count = 3, .last_starts = 70};
  const gpu_result r = played(f, x, three, NULL);
  uint64_t lengths[50] = {0};
  for (uint32_t i = 0; i < 3; i++) {
    bulk_part one = part;
    one.number += i;
    if (i == 2) one.starts = 70;
    const bulk_tally t = tally_of(f, x->lanes, one);
    for (uint32_t k = 0; k < t.lengths.count; k++) lengths[k] += t.lengths.items[k];
  }
  for (uint32_t i = 0; i < 50; i++) assert_int_equal(r.lengths[i], lengths[i]);
  gpu_game_free(x);
}

/* Games from a position in the middle: the machine does it whole in gpu_machine_test.c. */
static void games_begin_elsewhere(void **state) {
  machine_fixture *f = *state;
  const gpu_shape shapes[] = {small, tight};
  for (uint32_t s = 0; s < 2; s++) {
    gpu_game *x = gpu_game_new(f, builtin_text(f, "connect-four"), shapes[s], START_OF_PART);
    const grounded *g = &x->lanes->g;
    uint64_t *start = arena_zero_array(f->keep, uint64_t, grounded_words(g));
    uint32_t *flips = arena_zero_array(f->keep, uint32_t, x->net.latches.count + 1);
    grounded_start(g, start);
    start[0] ^= 0x11; /* any state will do */
    for (uint32_t i = 0; i < x->net.latches.count; i++)
      if (x->net.latches.items[i] == 0 || x->net.latches.items[i] == 4) flips[i] = UINT32_MAX;
    const bulk_part part = {
        .seed = 8, .starts = 700, .start = start, .max_steps = 90, .counter = true};
    const bulk_tally t = tally_of(f, x->lanes, part);
    const gpu_result r =
        played(f, x, (bulk_parts){.first = part, .count = 1, .last_starts = 700}, flips);
    assert_same_games(x, &t, &r);
    gpu_game_free(x);
  }
}

#define a_test(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void) {
  const struct CMUnitTest tests[] = {
      a_test(games_are_those_of_lanes),      a_test(so_they_are_with_few_registers),
      a_test(any_number_of_games_is_played), a_test(games_that_are_too_long_are_given_up),
      a_test(long_games_are_counted),        a_test(games_without_a_step_are_counted),
      a_test(faults_are_those_of_lanes),     a_test(parts_are_played_together),
      a_test(games_begin_elsewhere),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
