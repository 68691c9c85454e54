#include "machine/machine_fixture.h"
#include "tree/learn/self_play.h"

#include <math.h>
#include <string.h>

static machine *open_lanes(machine_fixture *f, const char *game) {
  open_builtin(f, game);
  const machine_source from = {.program = &f->p, .bulk = BULK_STEPS};
  machine *m = machine_open("lanes", &from, &f->b, &f->d);
  assert_non_null(m);
  return m;
}

static void what_is_trained_is_judged_so(void **state) {
  machine_fixture *f = *state;
  machine *m = open_lanes(f, "tic-tac-toe");
  value_net *n = net_new(m, 1, f->keep);
  uint64_t position[64] = {0};
  const float target[] = {.9f, .2f};
  float values[2];
  machine_start(m, position);
  for (uint32_t i = 0; i < 20000; i++) net_train(n, position, target, .05f);
  net_judge(n, position, values);
  assert_true(values[0] > .85f && values[0] < .95f);
  assert_true(values[1] > .15f && values[1] < .25f);
  machine_close(m);
}

static void a_copy_judges_alike(void **state) {
  machine_fixture *f = *state;
  machine *m = open_lanes(f, "tic-tac-toe");
  value_net *a = net_new(m, 1, f->keep), *b = net_new(m, 2, f->keep);
  uint64_t position[64] = {0};
  float values[2], others[2];
  machine_start(m, position);
  net_copy(b, a);
  net_judge(a, position, values);
  net_judge(b, position, others);
  assert_memory_equal(values, others, sizeof values);
  machine_close(m);
}

static void a_position_is_judged_alike_from_one_that_is_near(void **state) {
  machine_fixture *f = *state;
  machine *m = open_lanes(f, "tic-tac-toe");
  value_net *n = net_new(m, 1, f->keep);
  uint64_t known[64] = {0}, position[64] = {0};
  const float target[] = {.9f, .2f};
  float sums[NET_WIDTH], values[2], others[2];
  machine_start(m, known);
  memcpy(position, known, sizeof position);
  position[0] ^= 7; /* some inputs come, some go */
  for (uint32_t i = 0; i < 100; i++) net_train(n, position, target, .05f);
  net_sum(n, known, sums);
  net_judge_near(n, known, sums, position, values);
  net_judge(n, position, others);
  for (uint32_t r = 0; r < 2; r++) assert_true(fabsf(values[r] - others[r]) < 1e-5f);
  machine_close(m);
}

/* Who has taken the last object has won: the states one step before the end are learned first. */
static void playing_against_itself_makes_errors_smaller(void **state) {
  machine_fixture *f = *state;
  machine *m = open_lanes(f, "tic-tac-toe");
  value_net *n = net_new(m, 1, f->keep);
  self_play *p = self_play_new(m, n, 1, &f->b);
  for (uint32_t i = 0; i < 200; i++) assert_true(self_play_step(p));
  assert_true(self_play_told(p)->games > 1000);
  assert_true(self_play_told(p)->error < .1);
  self_play_free(p);
  machine_close(m);
}

/* Each role makes the first move in the order of their text. */
static void make_two_moves(machine *m, machine_fixture *f, void *position) {
  machine_workspace *w = machine_workspace_new(m, &f->b);
  machine_start(m, position);
  for (uint32_t step = 0; step < 2; step++) {
    move_id moves[16], joint[2];
    for (uint32_t r = 0; r < 2; r++) {
      assert_true(machine_legal(m, w, position, r, moves, 16) > 0);
      joint[r] = moves[0];
    }
    machine_step(m, w, position, joint, position);
  }
  machine_workspace_free(m, w);
}

/* x in a corner and o beside it: x wins by a fork, in five steps. */
static void a_win_that_is_far_is_worth_less(void **state) {
  machine_fixture *f = *state;
  machine *m = open_lanes(f, "tic-tac-toe");
  value_net *n = net_new(m, 1, f->keep);
  self_play *p = self_play_new(m, n, 1, &f->b);
  uint64_t position[64] = {0};
  float values[2];
  for (uint32_t i = 0; i < 1500; i++) assert_true(self_play_step(p));
  make_two_moves(m, f, position);
  net_judge(n, position, values);
  assert_true(values[0] > .8f && values[0] < .95f);
  self_play_free(p);
  machine_close(m);
}

static void positions_that_are_no_bits_are_declined(void **state) {
  machine_fixture *f = *state;
  open_builtin(f, "tic-tac-toe"); /* on the machine reference */
  assert_false(net_fits(f->m));
  assert_null(net_new(f->m, 1, f->keep));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      a_test(what_is_trained_is_judged_so),
      a_test(a_copy_judges_alike),
      a_test(a_position_is_judged_alike_from_one_that_is_near),
      a_test(playing_against_itself_makes_errors_smaller),
      a_test(a_win_that_is_far_is_worth_less),
      a_test(positions_that_are_no_bits_are_declined),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
