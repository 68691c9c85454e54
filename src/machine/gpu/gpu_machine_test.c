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

static bulk_player *player_for(machine_fixture *f, const machine *m, bulk_job job) {
  bulk_player *p = m->ops->bulk_play->open(m, &job, f->keep, NULL);
  assert_non_null(p);
  return p;
}

static bulk_tally played_by(machine_fixture *f, bulk_player *p, bulk_part part) {
  bulk_tally t = {.keep = f->keep};
  t.goals = arena_zero_array(f->keep, uint64_t, p->goal_count + 1);
  assert_true(p->m->ops->bulk_play->play(p, &part, &t, NULL));
  return t;
}

static bulk_tally played(machine_fixture *f, const machine *m, bulk_part part) {
  return played_by(f, player_for(f, m, (bulk_job){.start = part.start}), part);
}

static void assert_same(const bulk_tally *a, const bulk_tally *b) {
  assert_int_equal(a->lengths.count, b->lengths.count);
  assert_memory_equal(a->lengths.items, b->lengths.items,
                      a->lengths.count * sizeof *a->lengths.items);
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
    assert_same(&a, &b);
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

static machine *opened_as(machine_fixture *f, const char *devices) {
  setenv("TABIA_GPU", devices, 1);
  machine *m = opened(f, "gpu");
  setenv("TABIA_GPU", "emulator", 1);
  return m;
}

/* The compiler takes two seconds, in which nobody waits; its code goes on with the same games. */
static void until_the_code_is_ready_the_processor_plays(void **state) {
  machine_fixture *f = *state;
  open_builtin(f, "tic-tac-toe");
  machine *lanes = opened(f, "lanes"), *gpu = opened_as(f, "emulator,compile=2");
  const bulk_play_ops *ops = gpu->ops->bulk_play;
  const bulk_part part = {.seed = 5, .number = 9, .starts = 700, .counter = true};
  const bulk_tally expected = played(f, lanes, part);
  bulk_player *p = player_for(f, gpu, (bulk_job){.games = UINT64_C(1) << 40});
  assert_int_equal(ops->parts_at_once(p, 0), 1);
  const bulk_tally before = played_by(f, p, part);
  assert_same(&expected, &before);
  assert_int_equal(gpu_code_wait(gpu_machine_code(gpu, 0, START_OF_RULES, NULL), 1e6),
                   CODE_IS_READY);
  assert_true(ops->parts_at_once(p, 0) > 1);
  const bulk_tally after = played_by(f, p, part);
  assert_same(&expected, &after);
  machine_close(lanes);
  machine_close(gpu);
}

/* It would take a quarter of an hour. */
static void a_few_games_need_no_compiler(void **state) {
  machine_fixture *f = *state;
  open_builtin(f, "tic-tac-toe");
  machine *gpu = opened_as(f, "emulator,compile=900");
  bulk_player *p = player_for(f, gpu, (bulk_job){.games = 300});
  const bulk_tally t = played_by(f, p, (bulk_part){.seed = 5, .starts = 300, .counter = true});
  uint64_t games = 0;
  for (uint32_t i = 0; i < t.lengths.count; i++) games += t.lengths.items[i];
  assert_int_equal(games, 300);
  machine_close(gpu);
}

/* The last of three fails: what the others play is not lost. */
static void several_devices_work_side_by_side(void **state) {
  machine_fixture *f = *state;
  open_builtin(f, "tic-tac-toe");
  machine *lanes = opened(f, "lanes"), *gpu = opened_as(f, "emulator,devices=3,fail=2");
  bulk_part part = {.seed = 5, .starts = 300, .counter = true};
  bulk_player *players[3];
  assert_int_equal(gpu->ops->bulk_play->players(gpu), 3);
  for (uint32_t i = 0; i < 3; i++) {
    players[i] = player_for(f, gpu, (bulk_job){.number = i});
    assert_ptr_not_equal(gpu_machine_device(gpu, i), gpu_machine_device(gpu, (i + 1) % 3));
  }
  for (; part.number < 6; part.number++) {
    bulk_player *p = players[part.number % 3];
    const bulk_tally expected = played(f, lanes, part);
    if (p != players[2]) {
      const bulk_tally found = played_by(f, p, part);
      assert_same(&expected, &found);
      continue;
    }
    bulk_tally none = {.keep = f->keep, .goals = arena_zero_array(f->keep, uint64_t, 99)};
    assert_false(gpu->ops->bulk_play->play(p, &part, &none, NULL));
    assert_string_equal(p->trouble, "the emulator fails, as it was told");
    assert_int_equal(none.lengths.count, 0);
  }
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
      a_test(until_the_code_is_ready_the_processor_plays),
      a_test(a_few_games_need_no_compiler),
      a_test(several_devices_work_side_by_side),
      a_test(without_a_card_it_says_so),
  };
  setenv("TABIA_GPU", "emulator", 1);
  return cmocka_run_group_tests(tests, NULL, NULL);
}
