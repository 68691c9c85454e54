#include "machine/machine_fixture.h"

/* ---- trouble between two questions ---- */

static uint32_t count_then_fail(machine_workspace *w, uint32_t capacity) {
  if (capacity == 0 && !w->trouble.is_there) return 3;
  w->trouble = (machine_trouble){.is_there = true, .kind = DIAG_E801, .message = "too late"};
  return 0;
}

static uint32_t failing_legal(const machine *m, machine_workspace *w, const void *position,
                              uint32_t role, move_id *moves, uint32_t capacity) {
  (void)m, (void)position, (void)role, (void)moves;
  return count_then_fail(w, capacity);
}

static uint32_t failing_goals(const machine *m, machine_workspace *w, const void *position,
                              uint32_t role, int32_t *values, uint32_t capacity) {
  (void)m, (void)position, (void)role, (void)values;
  return count_then_fail(w, capacity);
}

static uint32_t failing_sees(const machine *m, machine_workspace *w, const void *position,
                             const move_id *joint, uint32_t role, percept_id *percepts,
                             uint32_t capacity) {
  (void)m, (void)position, (void)joint, (void)role, (void)percepts;
  return count_then_fail(w, capacity);
}

/* The machine of the fixture, which fails between the number of something and the list. */
static machine_ops take_ops(machine_fixture *f, machine_ops *ops) {
  const machine_ops own = *f->m->ops;
  *ops = own;
  f->m->ops = ops;
  return own;
}

static void a_list_may_be_shorter_than_it_was_said_to_be(void **state) {
  machine_fixture *f = *state;
  machine_ops ops;
  open_game(f, "(role a) (legal a x) (goal a 1) (init y)");
  const move_id joint[] = {move_named(f, 0, "x")};
  const machine_ops *own = f->m->ops;
  const machine_ops plain = take_ops(f, &ops);
  ops.legal = failing_legal;
  assert_false(state_view_read(&f->view, f->m, f->w, f->position, f->keep));
  assert_int_equal(f->view.roles[0].texts.count, 0);
  f->w->trouble = (machine_trouble){0};
  ops = plain;
  ops.goals = failing_goals;
  assert_false(state_view_read(&f->view, f->m, f->w, f->position, f->keep));
  assert_int_equal(f->view.roles[0].goal_count, 0);
  f->w->trouble = (machine_trouble){0};
  ops = plain;
  ops.sees = failing_sees;
  assert_int_equal(percepts_seen(f->m, f->w, f->position, joint, 0, f->keep).count, 0);
  f->m->ops = own;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      a_test(a_list_may_be_shorter_than_it_was_said_to_be),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
