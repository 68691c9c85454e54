/* What the tests of this folder share: a game and a job to prove things of it. */
#ifndef TABIA_PROVE_PROVE_FIXTURE_H
#define TABIA_PROVE_PROVE_FIXTURE_H

#include "prove/prover.h"
#include "rules/game_fixture.h"

typedef struct prove_fixture {
  arena *keep;
  diag_sink d;
  source s;
  tree t;
  program p;
  budget b;
  prove_job j;
  bool has_job;
} prove_fixture;

static inline int set_up(void **state) {
  prove_fixture *f = test_malloc(sizeof *f);
  *f = (prove_fixture){.keep = arena_new(), .b = budget_new(0, 0)};
  diag_sink_init(&f->d, f->keep);
  *state = f;
  return 0;
}

static inline void close_job(prove_fixture *f) {
  if (f->has_job) job_close(&f->j);
  f->has_job = false;
}

static inline int tear_down(void **state) {
  prove_fixture *f = *state;
  close_job(f);
  arena_free(f->keep);
  test_free(f);
  return 0;
}

static inline void read_game(prove_fixture *f, const char *words) {
  read_program(&f->p, &f->t, &f->s, words, f->keep, &f->d);
}

static inline void read_builtin(prove_fixture *f, const char *name) {
  read_game(f, read_game_file(name, f->keep, &f->d));
}

/* More than any method here needs on the slowest machine: what ends sooner does not depend on it.
 */
enum { AMPLE_SECONDS = 600 };

/* Begins a job with one list of properties. */
static inline void ask(prove_fixture *f, const char *words) {
  const prove_options o = {.threads = 2, .seed = 1, .confidence = 0.99};
  const char *complaint = NULL;
  close_job(f);
  assert_true(job_open(&f->j, &f->p, o, &f->b, &f->d));
  f->has_job = true;
  if (!prover_ask(&f->j, words, &f->b, &complaint)) fail_msg("%s", complaint);
  const property_vec asked = f->j.properties;
  job_ask(&f->j, &asked);
}

static inline void run(prove_fixture *f, const char *method, double seconds) {
  budget b = budget_new(seconds, 0);
  prove_method_find(method)->run(&f->j, &b);
}

/* The same as a front end does it: with all that comes before and after. */
static inline void run_whole(prove_fixture *f, const char *method, double seconds) {
  budget b = budget_new(seconds, 0);
  f->j.options.method = prove_method_find(method);
  prover_run(&f->j, &b);
}

/* What a method finds out about the property; it ends as soon as it has. */
static inline const finding *found(prove_fixture *f, const char *words, const char *method) {
  ask(f, words);
  run(f, method, AMPLE_SECONDS);
  return &f->j.findings[0];
}

#define assert_verdict(f, property, method, verdict) \
  assert_string_equal(verdict_name(found((f), (property), (method))->kind), (verdict))

/* Random play goes on for as long as it may when there is nothing to be found. */
static inline void assert_probe_finds_nothing(prove_fixture *f, const char *words) {
  ask(f, words);
  run(f, "probe", 0.2);
  assert_int_equal(f->j.findings[0].kind, VERDICT_UNKNOWN);
}

#define a_test(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

#endif
