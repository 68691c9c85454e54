#include "machine/compare.h"
#include "machine/machine_fixture.h"

static const char counter[] =
    "(role r) (init (n 0)) (succ 0 1) (succ 1 2) (succ 2 3)\n"
    "(<= (legal r up) (true (n ?x))) (<= (next (n ?y)) (true (n ?x)) (succ ?x ?y) (does r up))\n"
    "(<= (sees r ?x) (true (n ?x))) (<= terminal (true (n 3)))\n"
    "(<= (goal r 100) (true (n 3))) (<= (goal r 0) (not (true (n 3))))";

/* A second machine for the same game, whose calls can be replaced. */
typedef struct pair {
  machine *other;
  machine_workspace *other_w;
  machine_ops ops;
} pair;

static void open_pair(machine_fixture *f, pair *p) {
  const machine_source from = {.program = &f->p};
  open_game(f, counter);
  p->ops = reference_machine;
  p->ops.name = "broken";
  p->other = machine_open("reference", &from, NULL, &f->d);
  p->other->ops = &p->ops;
  p->other_w = machine_workspace_new(p->other, NULL);
}

static compare_report compare_pair(machine_fixture *f, pair *p) {
  const compare_options o = {.seed = 1, .games = 4, .max_steps = 100};
  compare_report r;
  assert_true(machines_compare(&r, f->m, f->w, p->other, p->other_w, &o, f->keep));
  machine_workspace_free(p->other, p->other_w);
  machine_close(p->other);
  return r;
}

static void a_machine_agrees_with_itself(void **state) {
  pair p;
  open_pair(*state, &p);
  const compare_report r = compare_pair(*state, &p);
  assert_true(r.same);
  assert_int_equal(r.games, 4);
  assert_int_equal(r.states, 16);
}

static void as_many_states_are_compared_as_wanted(void **state) {
  pair p;
  compare_report r;
  machine_fixture *f = *state;
  open_pair(f, &p);
  const compare_options o = {.seed = 1, .states = 10, .max_steps = 100};
  assert_true(machines_compare(&r, f->m, f->w, p.other, p.other_w, &o, f->keep));
  assert_true(r.same);
  assert_int_equal(r.states, 10);
  assert_int_equal(r.games, 3);
  machine_workspace_free(p.other, p.other_w);
  machine_close(p.other);
}

static bool never_terminal(const machine *m, machine_workspace *w, const void *position) {
  (void)m, (void)w, (void)position;
  return false;
}

static void of_many_the_one_that_differs_is_named(void **state) {
  pair p;
  compare_report r;
  machine_fixture *f = *state;
  open_pair(f, &p);
  p.ops.terminal = never_terminal;
  const machine_source from = {.program = &f->p};
  machine *second = machine_open("reference", &from, NULL, &f->d);
  machine_workspace *second_w = machine_workspace_new(second, NULL);
  const compared all[] = {
      {"first", f->m, f->w}, {"second", second, second_w}, {"third", p.other, p.other_w}};
  const compare_options o = {.seed = 1, .games = 4, .max_steps = 100};
  assert_true(machines_compare_all(&r, all, 2, &o, f->keep));
  assert_true(r.same);
  assert_true(machines_compare_all(&r, all, 3, &o, f->keep));
  assert_false(r.same);
  assert_non_null(strstr(r.words.bytes, "--- first\n+++ third\n-terminal\n"));
  machine_workspace_free(second, second_w);
  machine_close(second);
  machine_workspace_free(p.other, p.other_w);
  machine_close(p.other);
}

/* Knows only the way that it has come: a step counts on from the last. */
static void forgetful_step(const machine *m, machine_workspace *w, const void *position,
                           const move_id *joint, void *next) {
  static uint32_t last[2048];
  const uint32_t *given = position;
  assert_true(m->position_size <= sizeof last);
  reference_machine.step(m, w, given[1] < last[1] ? (const void *)last : position, joint, next);
  memcpy(last, next, m->position_size);
}

static void a_state_taken_up_again_must_be_as_it_was(void **state) {
  pair p;
  open_pair(*state, &p);
  p.ops.step = forgetful_step;
  const compare_report r = compare_pair(*state, &p);
  assert_false(r.same);
  assert_non_null(strstr(r.words.bytes, "fluents after a state taken up again differ\n"));
}

static uint32_t wrong_goals(const machine *m, machine_workspace *w, const void *position,
                            uint32_t role, int32_t *values, uint32_t capacity) {
  (void)m, (void)w, (void)position, (void)role;
  if (capacity) values[0] = 0;
  return 1;
}

static void other_goals_are_shown_with_the_way_there(void **state) {
  pair p;
  open_pair(*state, &p);
  p.ops.goals = wrong_goals;
  const compare_report r = compare_pair(*state, &p);
  assert_false(r.same);
  assert_string_equal(r.words.bytes,
                      "game 0, step 3: goals of r differ\n  1. up\n  2. up\n  3. up\n"
                      "--- reference\n+++ broken\n-100\n+0\n");
}

static void keeps_still(const machine *m, machine_workspace *w, const void *position,
                        const move_id *joint, void *next) {
  (void)w, (void)joint;
  memmove(next, position, m->position_size);
}

static void other_fluents_are_shown_as_a_diff(void **state) {
  pair p;
  open_pair(*state, &p);
  p.ops.step = keeps_still;
  assert_string_equal(compare_pair(*state, &p).words.bytes,
                      "game 0, step 1: fluents differ\n  1. up\n"
                      "--- reference\n+++ broken\n+(n 0)\n-(n 1)\n");
}

static uint32_t none_legal(const machine *m, machine_workspace *w, const void *position,
                           uint32_t role, move_id *moves, uint32_t capacity) {
  (void)m, (void)w, (void)position, (void)role, (void)moves, (void)capacity;
  return 0;
}

static void other_moves_are_shown_as_a_diff(void **state) {
  pair p;
  open_pair(*state, &p);
  p.ops.legal = none_legal;
  assert_string_equal(compare_pair(*state, &p).words.bytes,
                      "game 0, step 0: legal moves of r differ\n"
                      "--- reference\n+++ broken\n-up\n");
}

static void another_end_is_shown(void **state) {
  pair p;
  open_pair(*state, &p);
  p.ops.terminal = never_terminal;
  assert_non_null(strstr(compare_pair(*state, &p).words.bytes, "+++ broken\n-terminal\n"));
}

static uint32_t sees_nothing(const machine *m, machine_workspace *w, const void *position,
                             const move_id *joint, uint32_t role, percept_id *percepts,
                             uint32_t capacity) {
  (void)m, (void)w, (void)position, (void)joint, (void)role, (void)percepts, (void)capacity;
  return 0;
}

static void other_percepts_are_shown(void **state) {
  pair p;
  open_pair(*state, &p);
  p.ops.sees = sees_nothing;
  assert_non_null(strstr(compare_pair(*state, &p).words.bytes, "percepts of r differ\n"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      a_test(a_machine_agrees_with_itself),
      a_test(as_many_states_are_compared_as_wanted),
      a_test(of_many_the_one_that_differs_is_named),
      a_test(a_state_taken_up_again_must_be_as_it_was),
      a_test(other_goals_are_shown_with_the_way_there),
      a_test(other_fluents_are_shown_as_a_diff),
      a_test(other_moves_are_shown_as_a_diff),
      a_test(another_end_is_shown),
      a_test(other_percepts_are_shown),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
