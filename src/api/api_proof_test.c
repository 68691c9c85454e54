/* Proofs and certificates through tabia.h. */
#include "api/api_fixture.h"
#include "api/exchange_fixture.h"

#include <stdlib.h>
#include <unistd.h>

typedef struct heard {
  uint32_t count;
  bool was_known; /* each verdict could be asked when it was told */
} heard;

static void hear(void *context, const tabia_proof *p, uint32_t i) {
  heard *h = context;
  h->count++;
  h->was_known &= i < tabia_proof_count(p) && tabia_proof_verdict(p, i) != TABIA_UNKNOWN;
}

static tabia_proof *proof_of(api_fixture *f, const char *game) {
  assert_int_equal(tabia_rules_read(&f->rules, game, f->log), TABIA_OK);
  return tabia_proof_new(f->rules);
}

static void verdicts_are_handed_over_as_they_are_found(void **state) {
  api_fixture *f = *state;
  heard h = {.was_known = true};
  tabia_proof *p = proof_of(f, "tic-tac-toe");
  assert_int_equal(tabia_proof_count(p), 0);
  tabia_proof_ask(p, "playable, terminates");
  tabia_proof_ask(p, "winnable x");
  assert_int_equal(tabia_proof_run(p, NULL, NULL, hear, &h, f->log), TABIA_OK);
  assert_int_equal(h.count, 3);
  assert_true(h.was_known);
  assert_int_equal(tabia_proof_count(p), 3);
  assert_string_equal(tabia_proof_property(p, 2), "winnable x");
  for (uint32_t i = 0; i < 3; i++) {
    assert_int_equal(tabia_proof_verdict(p, i), TABIA_PROVED);
    assert_non_null(tabia_proof_method(p, i));
    assert_true(tabia_proof_seconds(p, i) >= 0);
  }
  assert_string_equal(tabia_verdict_name(TABIA_PROVED), "proved");
  assert_int_equal(tabia_proof_run(p, NULL, NULL, NULL, NULL, f->log), TABIA_MISUSE);
  tabia_proof_free(p);
}

static void a_refutation_has_a_line_that_is_a_trace(void **state) {
  api_fixture *f = *state;
  assert_int_equal(read_text(f, STUCK_GAME), TABIA_OK);
  tabia_proof *p = tabia_proof_new(f->rules);
  tabia_proof_ask(p, "playable");
  assert_int_equal(tabia_proof_run(p, NULL, NULL, NULL, NULL, f->log), TABIA_FAULTY);
  assert_int_equal(tabia_proof_verdict(p, 0), TABIA_REFUTED);
  assert_true(tabia_proof_has_line(p, 0));
  assert_int_equal(tabia_proof_line_length(p, 0), 1);
  assert_string_equal(tabia_proof_line_move(p, 0, 0, 0), "go");
  assert_int_equal(tabia_proof_line_returns_to(p, 0), 0);
  assert_int_equal(tabia_proof_write_trace(p, 0, "stuck", collect, f, f->log), TABIA_OK);
  assert_int_equal(tabia_machine_open(&f->machine, f->rules, "circuit", NULL, f->log), TABIA_OK);
  tabia_comparison *c = tabia_comparison_new();
  assert_int_equal(tabia_comparison_replay(c, f->machine, f->words, f->length, NULL, f->log),
                   TABIA_OK);
  tabia_comparison_free(c);
  tabia_proof_free(p);
}

static void groups_are_listed(void **state) {
  api_fixture *f = *state;
  tabia_proof *p = proof_of(f, "tic-tac-toe");
  bool has_turn = false;
  tabia_proof_ask(p, "mutex");
  assert_int_equal(tabia_proof_run(p, NULL, NULL, NULL, NULL, f->log), TABIA_OK);
  assert_true(tabia_proof_group_count(p, 0) >= 10);
  for (uint32_t g = 0; g < tabia_proof_group_count(p, 0); g++)
    for (uint32_t k = 0; k < tabia_proof_group_size(p, 0, g); k++)
      has_turn |= strstr(tabia_proof_group_fluent(p, 0, g, k), "control") &&
                  tabia_proof_group_is_exact(p, 0, g);
  assert_true(has_turn);
  tabia_proof_free(p);
}

static void certificates_are_written_and_checked(void **state) {
  api_fixture *f = *state;
  static char certificate[1 << 16];
  tabia_proof *p = proof_of(f, "tic-tac-toe");
  tabia_proof_ask(p, "playable");
  tabia_options_set(f->options, "method", "induction");
  assert_int_equal(tabia_proof_run(p, f->options, NULL, NULL, NULL, f->log), TABIA_OK);
  assert_true(tabia_proof_has_certificate(p, 0));
  assert_int_equal(tabia_proof_write_certificate(p, collect, f, f->log), TABIA_OK);
  memcpy(certificate, f->words, f->length + 1);
  f->length = 0;
  assert_int_equal(tabia_certificate_check(f->rules, "c", certificate, strlen(certificate), NULL,
                                           collect, f, f->log),
                   TABIA_OK);
  assert_non_null(strstr(f->words, "accepted"));
  assert_int_equal(tabia_certificate_check(f->rules, "c", "(property", 9, NULL, collect, f, f->log),
                   TABIA_UNREADABLE);
  tabia_proof_free(p);
}

static void verdicts_are_written(void **state) {
  api_fixture *f = *state;
  tabia_proof *p = proof_of(f, "tic-tac-toe");
  tabia_proof_ask(p, "terminates");
  tabia_options_set(f->options, "method", "exhaustive");
  tabia_options_set(f->options, "threads", "2");
  assert_int_equal(tabia_proof_run(p, f->options, NULL, NULL, NULL, f->log), TABIA_OK);
  assert_int_equal(tabia_proof_states(p, 0), 5478);
  assert_int_equal(tabia_proof_depth(p, 0), 9);
  assert_int_equal(tabia_proof_write(p, 0, "text", collect, f, f->log), TABIA_OK);
  assert_non_null(strstr(f->words, "terminates: proved by exhaustive"));
  f->length = 0;
  assert_int_equal(tabia_proof_write(p, 0, "json", collect, f, f->log), TABIA_OK);
  assert_int_equal(f->words[0], '{');
  assert_int_equal(tabia_proof_write(p, 0, "xml", collect, f, f->log), TABIA_MISUSE);
  tabia_proof_free(p);
}

static void wrong_words_are_misuse(void **state) {
  api_fixture *f = *state;
  tabia_proof *p = proof_of(f, "nim");
  tabia_options_set(f->options, "method", "exhaustiv");
  assert_int_equal(tabia_proof_run(p, f->options, NULL, NULL, NULL, f->log), TABIA_MISUSE);
  assert_says(f, "did you mean `exhaustive`?");
  tabia_options_set(f->options, "method", NULL);
  tabia_options_set(f->options, "confidence", "1");
  assert_int_equal(tabia_proof_run(p, f->options, NULL, NULL, NULL, f->log), TABIA_MISUSE);
  tabia_options_set(f->options, "confidence", NULL);
  tabia_options_set(f->options, "mutexes", "no");
  assert_int_equal(tabia_proof_run(p, f->options, NULL, NULL, NULL, f->log), TABIA_MISUSE);
  tabia_options_set(f->options, "mutexes", NULL);
  tabia_options_set(f->options, "seed", "1e300");
  assert_int_equal(tabia_proof_run(p, f->options, NULL, NULL, NULL, f->log), TABIA_MISUSE);
  assert_says(f, "seed has to be a whole number");
  tabia_options_set(f->options, "seed", NULL);
  tabia_proof_ask(p, "plaiable");
  assert_int_equal(tabia_proof_run(p, f->options, NULL, NULL, NULL, f->log), TABIA_MISUSE);
  assert_says(f, "plaiable");
  tabia_proof_free(p);
}

static void what_is_not_known_is_a_limit(void **state) {
  api_fixture *f = *state;
  tabia_proof *p = proof_of(f, "tic-tac-toe");
  tabia_proof_ask(p, "terminates");
  tabia_options_set(f->options, "method", "probe");
  tabia_limits_set_seconds(f->limits, 0.1); /* random play goes on as long as it may */
  assert_int_equal(tabia_proof_run(p, f->options, f->limits, NULL, NULL, f->log), TABIA_LIMIT);
  assert_int_equal(tabia_proof_verdict(p, 0), TABIA_UNKNOWN);
  assert_non_null(tabia_proof_reason(p, 0));
  assert_int_equal(tabia_proof_write_certificate(p, collect, f, f->log), TABIA_FAULTY);
  assert_int_equal(tabia_proof_write_trace(p, 0, "t", collect, f, f->log), TABIA_FAULTY);
  tabia_proof_free(p);
}

static void methods_have_names(void **state) {
  (void)state;
  assert_string_equal(tabia_method_name(0), "auto");
  assert_true(tabia_method_count() > 5);
  assert_true(strlen(tabia_method_summary(1)) > 0);
  assert_null(tabia_method_name(tabia_method_count()));
}

static void properties_are_listed(void **state) {
  (void)state;
  assert_int_equal(tabia_property_count(), 10);
  assert_string_equal(tabia_property_name(0), "playable");
  for (uint32_t i = 0; i < tabia_property_count(); i++) assert_non_null(tabia_property_summary(i));
  assert_null(tabia_property_name(10));
  assert_null(tabia_property_summary(10));
}

/* ---- several processes ---- */

static tabia_status prove_over(api_fixture *f, tabia_proof *p, const tabia_exchange *e) {
  tabia_proof_ask(p, "playable, terminates, winnable, goals");
  tabia_proof_set_exchange(p, e);
  return tabia_proof_run(p, NULL, NULL, NULL, NULL, f->log);
}

static void one_process_of_an_exchange_proves_the_same(void **state) {
  api_fixture *f = *state;
  int barriers = 0;
  const tabia_exchange e = exchange_of_size(1, &barriers);
  assert_int_equal(read_text(f, COUNTING_GAME), TABIA_OK);
  tabia_proof *p = tabia_proof_new(f->rules);
  tabia_options_set(f->options, "method", "exhaustive");
  tabia_proof *alone = tabia_proof_new(f->rules);
  tabia_proof_ask(alone, "playable, terminates, winnable, goals");
  const tabia_status status = tabia_proof_run(alone, f->options, NULL, NULL, NULL, f->log);
  assert_int_equal(prove_over(f, p, &e), status);
  assert_true(barriers > 0);
  assert_int_equal(tabia_proof_count(p), tabia_proof_count(alone));
  for (uint32_t i = 0; i < tabia_proof_count(p); i++) {
    assert_string_equal(tabia_proof_method(p, i), "exhaustive");
    assert_int_equal(tabia_proof_verdict(p, i), tabia_proof_verdict(alone, i));
    assert_int_equal(tabia_proof_states(p, i), tabia_proof_states(alone, i));
    assert_int_equal(tabia_proof_depth(p, i), tabia_proof_depth(alone, i));
  }
  tabia_proof_free(alone);
  tabia_proof_free(p);
}

/* A second process is expected that cannot be told anything. */
static void messages_that_fail_end_the_run(void **state) {
  api_fixture *f = *state;
  const tabia_exchange e = exchange_of_size(2, NULL);
  assert_int_equal(read_text(f, COUNTING_GAME), TABIA_OK);
  tabia_proof *p = tabia_proof_new(f->rules);
  assert_int_equal(prove_over(f, p, &e), TABIA_LIMIT);
  assert_says(f, "another process");
  tabia_proof_free(p);
}

static void other_methods_are_of_one_process(void **state) {
  api_fixture *f = *state;
  static const char *const wrong[][2] = {{"method", "bmc"}, {"walk", "/tmp/no-walk"}};
  assert_int_equal(read_text(f, COUNTING_GAME), TABIA_OK);
  for (uint32_t i = 0; i < 2; i++) {
    tabia_proof *p = tabia_proof_new(f->rules);
    tabia_options *o = tabia_options_new();
    tabia_options_set(o, wrong[i][0], wrong[i][1]);
    tabia_proof_set_checkpoint(p, "/tmp/no-job", 0);
    assert_int_equal(tabia_proof_run(p, o, NULL, NULL, NULL, f->log), TABIA_MISUSE);
    assert_says(f, "for the method `exhaustive`");
    tabia_options_free(o);
    tabia_proof_free(p);
  }
}

static void a_run_in_files_leaves_none(void **state) {
  api_fixture *f = *state;
  char files[] = "/tmp/api-proof-test-XXXXXX";
  assert_int_equal(read_text(f, COUNTING_GAME), TABIA_OK);
  tabia_proof *p = tabia_proof_new(f->rules);
  tabia_proof_set_checkpoint(p, mkdtemp(files), 1e-9);
  prove_over(f, p, NULL);
  assert_int_equal(tabia_proof_verdict(p, 0), TABIA_PROVED);
  assert_true(tabia_proof_states(p, 0) > 1);
  assert_int_not_equal(access(files, F_OK), 0);
  tabia_proof_free(p);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      a_test(one_process_of_an_exchange_proves_the_same),
      a_test(messages_that_fail_end_the_run),
      a_test(other_methods_are_of_one_process),
      a_test(a_run_in_files_leaves_none),
      a_test(verdicts_are_handed_over_as_they_are_found),
      a_test(a_refutation_has_a_line_that_is_a_trace),
      a_test(groups_are_listed),
      a_test(certificates_are_written_and_checked),
      a_test(verdicts_are_written),
      a_test(wrong_words_are_misuse),
      a_test(what_is_not_known_is_a_limit),
      a_test(methods_have_names),
      a_test(properties_are_listed),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
