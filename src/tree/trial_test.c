#include "machine/machine_fixture.h"
#include "tree/trial.h"

#include <math.h>

/* A network that has learned nothing is soon found to be worse. */
static void a_trial_ends_when_one_style_is_far_ahead(void **state) {
  machine_fixture *f = *state;
  open_builtin(f, "connect-four");
  const machine_source from = {.program = &f->p, .bulk = BULK_STEPS};
  machine *m = machine_open("lanes", &from, &f->b, &f->d);
  assert_non_null(m);
  const tree_options o = {.memory = 1 << 24, .seed = 1, .max_steps = 100, .transpositions = true};
  const trial t = {.m = m,
                   .o = &o,
                   .net = net_new(m, 1, f->keep),
                   .move_seconds = .002,
                   .until = HUGE_VAL,
                   .by_processor = true,
                   .games_max = 200};
  trial_result r;
  assert_true(trial_run(&t, STYLE_PLAYS, STYLE_JUDGES, &f->b, &r));
  assert_true(r.games < 200);
  assert_true(r.won * 2 >= r.games + 6);
  machine_close(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {a_test(a_trial_ends_when_one_style_is_far_ahead)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
