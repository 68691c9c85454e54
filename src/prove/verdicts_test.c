/* Random games: whatever a method decides must be what a walk through all states says, and what is
   written down must be accepted by the checker. */
#include "base/rng.h"
#include "certify/certify.h"
#include "ground/random_game_fixture.h"
#include "prove/certificate.h"
#include "prove/prove_fixture.h"

enum { GAMES = 40, PROPERTIES_MAX = 32 };

static const char *const asked[] = {"all",
                                    "monotone",
                                    "strongly-winnable",
                                    "invariant (exists ?x (f ?x))",
                                    "invariant (or terminal (exists (?r ?m) (legal ?r ?m)))",
                                    "unreachable (and (f ?x) (f ?y) (distinct ?x ?y))"};

static void ask_everything(prove_fixture *f) {
  const prove_options o = {.threads = 1, .seed = 1, .confidence = 0.99};
  property_vec properties = {0};
  const char *complaint = NULL;
  close_job(f);
  assert_true(job_open(&f->j, &f->p, o, &f->b, &f->d));
  f->has_job = true;
  const state_atoms atoms = job_atoms(&f->j);
  for (size_t i = 0; i < sizeof asked / sizeof *asked; i++)
    property_read(&properties, asked[i], &atoms, f->j.keep, &complaint);
  assert_true(properties.count < PROPERTIES_MAX);
  job_ask(&f->j, &properties);
}

static void assert_checked(prove_fixture *f, uint32_t i) {
  const property *p = &f->j.properties.items[i];
  text words = text_new(f->keep);
  certificate c;
  certificate_report r;
  if (!finding_has_certificate(p, &f->j.findings[i])) return;
  certificate_print(p, &f->j.findings[i], &f->j.g.circuit, &words);
  const source s = source_of("certificate", text_string(&words), (uint32_t)words.length);
  assert_true(certificate_read(&c, &s, f->keep, &f->d));
  assert_true(certificate_check(&r, &c, &f->p, f->keep, &f->b, &f->d));
  for (uint32_t k = 0; k < r.sections.count; k++)
    if (r.sections.items[k].result != SECTION_ACCEPTED)
      fail_msg("%s%s", text_string(&words), r.sections.items[k].words);
}

static play_length length_found(const prove_fixture *f) {
  for (uint32_t i = 0; i < f->j.properties.count; i++)
    if (f->j.findings[i].plays.is_known) return f->j.findings[i].plays;
  return (play_length){0};
}

/* No bound is below the longest play, and none that was met is longer. */
static void assert_length(const prove_fixture *f, play_length truth) {
  const play_length said = length_found(f);
  if (said.is_known && truth.is_known)
    assert_true(said.at_most >= truth.at_most && said.seen <= truth.at_most);
}

static void assert_truth(prove_fixture *f, const char *method, const verdict_kind *truth,
                         uint64_t seed) {
  for (uint32_t i = 0; i < f->j.properties.count; i++) {
    const finding *v = &f->j.findings[i];
    if (v->kind == VERDICT_UNKNOWN) continue;
    if (truth[i] != VERDICT_UNKNOWN && v->kind != truth[i])
      fail_msg("game %llu: %s: %s says %s", (unsigned long long)seed, f->j.properties.items[i].name,
               method, verdict_name(v->kind));
    assert_checked(f, i);
  }
}

static void no_method_contradicts_a_walk_through_a_random_game(void **state) {
  static const char *const methods[] = {"probe",       "squeeze", "seek", "induction", "balance",
                                        "termination", "pdr",     "bmc",  "bdd"};
  prove_fixture *f = *state;
  f->b = budget_new(0, 0);
  uint32_t decided = 0;
  for (uint64_t seed = 0; seed < GAMES; seed++) {
    verdict_kind truth[PROPERTIES_MAX] = {0};
    rng r = rng_new(seed, 5);
    read_game(f, random_game_text(&r, f->keep));
    ask_everything(f);
    run(f, "exhaustive", AMPLE_SECONDS);
    for (uint32_t i = 0; i < f->j.properties.count; i++) truth[i] = f->j.findings[i].kind;
    assert_truth(f, "exhaustive", truth, seed);
    const play_length longest = length_found(f);
    for (size_t m = 0; m < sizeof methods / sizeof *methods; m++) {
      ask_everything(f);
      run(f, methods[m], 0.05);
      assert_truth(f, methods[m], truth, seed);
      assert_length(f, longest);
      for (uint32_t i = 0; i < f->j.properties.count; i++)
        decided += f->j.findings[i].kind != VERDICT_UNKNOWN;
    }
  }
  assert_true(decided > 5 * GAMES);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      a_test(no_method_contradicts_a_walk_through_a_random_game),
  };
  return cmocka_run_group_tests_name("prove/verdicts", tests, NULL, NULL);
}
