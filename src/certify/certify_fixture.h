/* What the tests of this folder share: a game, and certificates for it. */
#ifndef TABIA_CERTIFY_CERTIFY_FIXTURE_H
#define TABIA_CERTIFY_CERTIFY_FIXTURE_H

#include "certify/certify.h"
#include "ground/ground.h"
#include "rules/game_fixture.h"

typedef struct certify_fixture {
  arena *keep;
  diag_sink d;
  source s;
  tree t;
  program p;
  budget b;
} certify_fixture;

static inline int set_up(void **state) {
  certify_fixture *f = test_malloc(sizeof *f);
  *f = (certify_fixture){.keep = arena_new(), .b = budget_new(0, 0)};
  diag_sink_init(&f->d, f->keep);
  *state = f;
  return 0;
}

static inline int tear_down(void **state) {
  certify_fixture *f = *state;
  arena_free(f->keep);
  test_free(f);
  return 0;
}

static inline void read_game(certify_fixture *f, const char *words) {
  read_program(&f->p, &f->t, &f->s, words, f->keep, &f->d);
}

static inline void read_builtin(certify_fixture *f, const char *name) {
  read_game(f, read_game_file(name, f->keep, &f->d));
}

static inline ground_program *ground_game(certify_fixture *f) {
  ground_program *g = arena_alloc_zero(f->keep, sizeof *g);
  ground_stats stats;
  assert_true(
      ground_rules(g, &f->p, (ground_options){.optimise = true}, f->keep, &f->b, &f->d, &stats));
  return g;
}

#define a_test(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

/* ---- certificates ---- */

/* NULL: it is not written as the grammar says. */
static inline certificate *written(certify_fixture *f, const char *words) {
  source *s = arena_alloc_zero(f->keep, sizeof *s);
  certificate *c = arena_alloc_zero(f->keep, sizeof *c);
  *s = source_of("certificate", words, (uint32_t)strlen(words));
  diag_sink_init(&f->d, f->keep);
  return certificate_read(c, s, f->keep, &f->d) ? c : NULL;
}

static inline certificate_report checked(certify_fixture *f, const char *words) {
  certificate_report r;
  const certificate *c = written(f, words);
  if (!c) fail_msg("%s: %s", words, f->d.all.items[0].message);
  assert_true(certificate_check(&r, c, &f->p, f->keep, &f->b, &f->d));
  return r;
}

/* All sections are, and the first says this. */
static inline void assert_accepted(certify_fixture *f, const char *words, const char *says) {
  const certificate_report r = checked(f, words);
  for (uint32_t i = 0; i < r.sections.count; i++)
    if (r.sections.items[i].result != SECTION_ACCEPTED) fail_msg("%s", r.sections.items[i].words);
  if (!strstr(r.sections.items[0].words, says)) fail_msg("%s", r.sections.items[0].words);
}

/* The first section is, for this reason. */
static inline void assert_result(certify_fixture *f, const char *words, section_result result,
                                 const char *why) {
  const certificate_report r = checked(f, words);
  const section_report *first = &r.sections.items[0];
  if (first->result != result || !strstr(first->words, why)) fail_msg("%s", first->words);
}

static inline void assert_rejected(certify_fixture *f, const char *words, const char *why) {
  assert_result(f, words, SECTION_REJECTED, why);
}

static inline void assert_unchecked(certify_fixture *f, const char *words, const char *why) {
  assert_result(f, words, SECTION_UNCHECKED, why);
}

/* It is not written as the grammar says, and this is told of it first. */
static inline void assert_malformed(certify_fixture *f, const char *words, const char *why) {
  if (written(f, words)) fail_msg("it is well written: %s", words);
  diag_sort(&f->d);
  if (!strstr(f->d.all.items[0].message, why)) fail_msg("%s", f->d.all.items[0].message);
}

#endif
