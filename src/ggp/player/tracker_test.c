#include "ggp/player/tracker.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <math.h>

typedef struct fixture {
  tabia_rules *rules;
  tabia_machine *machine;
  tabia_workspace *w;
  tracker *t;
} fixture;

static void open_game(fixture *f, const char *game, const char *machine, uint32_t role) {
  assert_int_equal(tabia_rules_read(&f->rules, game, NULL), TABIA_OK);
  assert_int_equal(tabia_machine_open(&f->machine, f->rules, machine, NULL, NULL), TABIA_OK);
  f->w = tabia_workspace_new(f->machine, NULL);
  f->t = tracker_new(f->machine, f->w, role, 1);
}

static void close_game(fixture *f) {
  tracker_free(f->t);
  tabia_workspace_free(f->w);
  tabia_machine_close(f->machine);
  tabia_rules_free(f->rules);
}

static bool see(fixture *f, const char *own, const char *percepts) {
  return tracker_step(f->t, &(match_step){.own = own, .percepts = percepts});
}

static void follows_the_moves_of_all_roles(void **state) {
  (void)state;
  fixture f;
  open_game(&f, "tic-tac-toe", "circuit", 0);
  assert_true(tracker_step(f.t, &(match_step){.moves = "(place 1 1) noop"}));
  assert_true(tracker_step(f.t, &(match_step){.moves = "noop (place 2 2)"}));
  assert_int_equal(tracker_count(f.t), 1);
  assert_false(tracker_step(f.t, &(match_step){.moves = "(place 1 1) noop"}));
  assert_int_equal(tracker_count(f.t), 0);
  assert_false(tracker_step(f.t, &(match_step){.moves = "(place 3 3) noop"}));
  close_game(&f);
}

/* The host opens door 3: behind door 1, which was chosen, the car is with one third. */
static void weighs_what_may_have_happened(void **state) {
  (void)state;
  static const char *const machines[] = {"circuit", "datalog", "reference"};
  for (int i = 0; i < 3; i++) {
    fixture f;
    open_game(&f, "monty-hall", machines[i], 0);
    assert_true(see(&f, "noop", ""));
    assert_int_equal(tracker_count(f.t), 3);
    assert_true(see(&f, "(pick 1)", ""));
    assert_true(see(&f, "noop", "(goat-behind 3)"));
    assert_int_equal(tracker_count(f.t), 2);
    const double least = fmin(tracker_weight(f.t, 0), tracker_weight(f.t, 1));
    assert_true(fabs(least - 1.0 / 3) < 1e-9);
    close_game(&f);
  }
}

static void is_lost_where_nothing_agrees(void **state) {
  (void)state;
  fixture f;
  open_game(&f, "monty-hall", "circuit", 0);
  assert_true(see(&f, "noop", ""));
  assert_true(see(&f, "(pick 1)", ""));
  assert_false(see(&f, "noop", "(goat-behind 1)"));
  assert_int_equal(tracker_count(f.t), 0);
  close_game(&f);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(follows_the_moves_of_all_roles),
      cmocka_unit_test(weighs_what_may_have_happened),
      cmocka_unit_test(is_lost_where_nothing_agrees),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
