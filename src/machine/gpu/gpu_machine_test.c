#include "machine/gpu/gpu_machine.h"

#include "machine/bulk_play.h"
#include "machine/machine_fixture.h"

#include <dlfcn.h>
#include <stdlib.h>

static machine *opened(machine_fixture *f, const char *kind) {
  const machine_source from = {.program = &f->p, .bulk = BULK_PLAYOUTS};
  machine *m = machine_open(kind, &from, &f->b, &f->d);
  assert_non_null(m);
  return m;
}

static bulk_tally played(machine_fixture *f, const machine *m, bulk_part part) {
  bulk_tally t = {.keep = f->keep};
  bulk_player *p = m->ops->bulk_play->open(m, f->keep, NULL);
  t.goals = arena_zero_array(f->keep, uint64_t, p->goal_count + 1);
  assert_true(m->ops->bulk_play->play(p, &part, &t, NULL));
  return t;
}

/* The position after the first legal moves of each role. */
static void *some_position(machine_fixture *f, const machine *m) {
  void *position = arena_alloc(f->keep, m->position_size);
  machine_workspace *w = machine_workspace_new(m, NULL);
  move_id joint[8];
  machine_start(m, position);
  for (uint32_t i = 0; i < 3; i++) {
    for (uint32_t role = 0; role < m->role_count; role++)
      machine_legal(m, w, position, role, &joint[role], 1);
    machine_step(m, w, position, joint, position);
  }
  machine_workspace_free(m, w);
  return position;
}

static void it_plays_the_games_of_lanes_from_any_position(void **state) {
  machine_fixture *f = *state;
  open_builtin(f, "connect-four");
  machine *lanes = opened(f, "lanes"), *gpu = opened(f, "gpu");
  assert_int_equal(lanes->ops->bulk_play->part_size(lanes, NULL),
                   gpu->ops->bulk_play->part_size(gpu, NULL));
  bulk_part part = {.seed = 1, .number = 3, .starts = 600, .counter = true};
  for (uint32_t i = 0; i < 2; i++) {
    if (i) part.start = some_position(f, lanes);
    const bulk_tally a = played(f, lanes, part), b = played(f, gpu, part);
    assert_int_equal(a.lengths.count, b.lengths.count);
    assert_memory_equal(a.lengths.items, b.lengths.items,
                        a.lengths.count * sizeof *a.lengths.items);
    assert_memory_equal(a.goals, b.goals, 6 * sizeof *a.goals);
  }
  machine_close(lanes);
  machine_close(gpu);
}

static void the_first_fault_is_that_of_lanes(void **state) {
  machine_fixture *f = *state;
  open_game(f, "(role r) (init (at 0)) (<= (legal r go) (true (at ?x)) (distinct ?x 2))\n"
               "(<= (legal r stay) (legal r go)) (succ 0 1) (succ 1 2)\n"
               "(<= (next (at ?y)) (true (at ?x)) (does r go) (succ ?x ?y))\n"
               "(<= (next (at ?x)) (true (at ?x)) (does r stay)) (<= terminal (true never))\n"
               "(goal r 1)");
  machine *lanes = opened(f, "lanes"), *gpu = opened(f, "gpu");
  const bulk_part part = {.seed = 1, .number = 4, .starts = 700, .counter = true};
  const bulk_tally a = played(f, lanes, part), b = played(f, gpu, part);
  assert_int_equal(a.faults[FAULT_STUCK], 700);
  assert_memory_equal(a.faults, b.faults, sizeof a.faults);
  assert_int_equal(a.first.kind, b.first.kind);
  assert_int_equal(a.first.lane, b.first.lane);
  assert_int_equal(a.first.step, b.first.step);
  assert_int_equal(a.first.begun, b.first.begun);
  machine_close(lanes);
  machine_close(gpu);
}

static void without_a_card_it_says_so(void **state) {
  machine_fixture *f = *state;
  void *driver = dlopen("libcuda.so.1", RTLD_NOW);
  if (driver) {
    dlclose(driver);
    skip();
  }
  unsetenv("TABIA_GPU");
  open_builtin(f, "tic-tac-toe");
  const machine_source from = {.program = &f->p, .bulk = BULK_PLAYOUTS};
  assert_null(machine_open("gpu", &from, &f->b, &f->d));
  assert_int_equal(f->b.end, BUDGET_DEVICE);
  assert_string_equal(vec_last(&f->d.all).message,
                      "no device to play on: there is no NVIDIA driver (libcuda.so.1)");
  setenv("TABIA_GPU", "emulator", 1);
}

#define a_test(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void) {
  const struct CMUnitTest tests[] = {
      a_test(it_plays_the_games_of_lanes_from_any_position),
      a_test(the_first_fault_is_that_of_lanes),
      a_test(without_a_card_it_says_so),
  };
  setenv("TABIA_GPU", "emulator", 1);
  return cmocka_run_group_tests(tests, NULL, NULL);
}
