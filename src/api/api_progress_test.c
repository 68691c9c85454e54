/* Every call that can take long reports its progress, and ends soon after it was cancelled: here by
   the listener, at its first report.  Games are so large that no call ends by itself. */
#include "api/api_fixture.h"

#include <stdio.h>
#include <string.h>

enum { SECONDS_MOST = 300 }; /* only against a call that does not report */

typedef struct listener {
  tabia_limits *limits;
  uint32_t reports;
  char what[100];
} listener;

static void cancel(void *context, const char *what, double done, double whole) {
  listener *l = context;
  assert_true(whole == 0 || (done >= 0 && done <= whole));
  snprintf(l->what, sizeof l->what, "%s", what);
  l->reports++;
  tabia_limits_cancel(l->limits);
}

static listener *listen_to(api_fixture *f) {
  static listener l;
  l = (listener){.limits = f->limits};
  tabia_limits_reset(f->limits);
  tabia_limits_set_seconds(f->limits, SECONDS_MOST);
  tabia_limits_set_progress(f->limits, cancel, &l);
  return &l;
}

static void open_built_in(api_fixture *f, const char *name, const char *kind) {
  assert_int_equal(tabia_rules_read(&f->rules, name, f->log), TABIA_OK);
  assert_int_equal(tabia_machine_open(&f->machine, f->rules, kind, NULL, f->log), TABIA_OK);
}

static void assert_cancelled(const listener *l, tabia_status status, const char *what) {
  assert_int_equal(status, TABIA_LIMIT);
  assert_true(l->reports > 0);
  assert_non_null(strstr(l->what, what));
}

static void counting(void **state) {
  api_fixture *f = *state;
  open_built_in(f, "connect-four", "lanes");
  listener *l = listen_to(f);
  tabia_playouts *p = tabia_playouts_new(f->machine);
  tabia_playouts_set_count(p, UINT64_MAX / 1024);
  assert_cancelled(l, tabia_playouts_run(p, f->limits, f->log), "playouts");
  tabia_playouts_free(p);
  l = listen_to(f);
  tabia_perft *perft = tabia_perft_new(f->machine);
  assert_cancelled(l, tabia_perft_run(perft, 42, f->limits, f->log), "states of depth");
  tabia_perft_free(perft);
  l = listen_to(f);
  tabia_levels *levels = tabia_levels_new(f->machine);
  assert_cancelled(l, tabia_levels_run(levels, UINT32_MAX, f->limits, f->log), "states of depth");
  tabia_levels_free(levels);
}

static void solving(void **state) {
  static const tabia_solve_method methods[] = {TABIA_SOLVE_STRONG, TABIA_SOLVE_WEAK};
  static const char *const words[] = {"states of depth", "states expanded"};
  api_fixture *f = *state;
  open_built_in(f, "connect-four", "circuit");
  for (uint32_t i = 0; i < 2; i++) {
    listener *l = listen_to(f);
    tabia_solve *x = tabia_solve_new(f->machine);
    tabia_solve_set_method(x, methods[i]);
    assert_cancelled(l, tabia_solve_run(x, f->limits, f->log), words[i]);
    tabia_solve_free(x);
  }
  listener *l = listen_to(f);
  tabia_minimax *m = tabia_minimax_new(f->machine);
  assert_cancelled(l, tabia_minimax_run(m, 42, f->limits, f->log), "states of full depth");
  tabia_minimax_free(m);
}

static void searching(void **state) {
  api_fixture *f = *state;
  tabia_search *s;
  open_built_in(f, "connect-four", "lanes");
  assert_int_equal(tabia_search_open(&s, f->machine, NULL, NULL, f->log), TABIA_OK);
  listener *l = listen_to(f);
  assert_cancelled(l, tabia_search_learn(s, SECONDS_MOST, f->limits, f->log), "learning");
  l = listen_to(f);
  assert_cancelled(l, tabia_search_think(s, NULL, 0, f->limits, f->log), "searching");
  tabia_search_close(s);
}

static void learning_a_strategy(void **state) {
  api_fixture *f = *state;
  tabia_strategy *s;
  open_built_in(f, "kuhn-poker", "lanes");
  assert_int_equal(tabia_strategy_open(&s, f->machine, NULL, f->log), TABIA_OK);
  const listener *l = listen_to(f);
  assert_cancelled(l, tabia_strategy_learn(s, 0, 0, f->limits, f->log), "learning by self-play");
  tabia_strategy_close(s);
}

static void comparing(void **state) {
  api_fixture *f = *state;
  tabia_machine *circuit;
  tabia_coverage *rules;
  open_built_in(f, "nim", "datalog");
  assert_int_equal(tabia_machine_open(&circuit, f->rules, "circuit", NULL, f->log), TABIA_OK);
  listener *l = listen_to(f);
  tabia_comparison *c = tabia_comparison_new();
  tabia_comparison_set_games(c, UINT32_MAX);
  assert_cancelled(l, tabia_comparison_run(c, f->machine, circuit, f->limits, f->log),
                   "games compared");
  tabia_comparison_free(c);
  tabia_machine_close(circuit);
  l = listen_to(f);
  assert_int_equal(tabia_coverage_new(&rules, f->rules, f->limits, f->log), TABIA_OK);
  assert_cancelled(l, tabia_coverage_play(rules, UINT32_MAX, 1000, 1, f->log), "random games");
  tabia_coverage_free(rules);
}

static void proving(void **state) {
  api_fixture *f = *state;
  tabia_proof *p;
  assert_int_equal(tabia_rules_read(&f->rules, "connect-four", f->log), TABIA_OK);
  p = tabia_proof_new(f->rules);
  tabia_options_set(f->options, "method", "exhaustive");
  const listener *l = listen_to(f);
  assert_cancelled(l, tabia_proof_run(p, f->options, f->limits, NULL, NULL, f->log), "");
  tabia_proof_free(p);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      a_test(counting),  a_test(solving), a_test(searching), a_test(learning_a_strategy),
      a_test(comparing), a_test(proving),
  };
  return cmocka_run_group_tests_name("api/api_progress", tests, NULL, NULL);
}
