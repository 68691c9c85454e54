#include "prove/certificate.h"
#include "prove/check_certificate.h"
#include "prove/prove_fixture.h"

#include <stdlib.h>

/* The certificate of a property, by a method that gives one. */
static const char *certificate_for(prove_fixture *f, const char *words, const char *method) {
  const finding *v = found(f, words, method);
  text out = text_new(f->keep);
  assert_non_null(v->certificate);
  certificate_print(&f->j.properties.items[0], v, &f->j.g.circuit, &out);
  return text_string(&out);
}

static bool is_accepted(prove_fixture *f, const char *words, certificate_report *r) {
  const source s = source_of("certificate", words, (uint32_t)strlen(words));
  assert_true(certificate_check(r, &s, &f->p, f->keep, &f->b, &f->d));
  return r->accepted && !r->rejected;
}

static void assert_accepted(prove_fixture *f, const char *words) {
  certificate_report r;
  if (!is_accepted(f, words, &r)) fail_msg("%s", text_string(&r.words));
}

static void assert_rejected(prove_fixture *f, const char *words, const char *why) {
  certificate_report r;
  assert_false(is_accepted(f, words, &r));
  if (!strstr(text_string(&r.words), why)) fail_msg("%s", text_string(&r.words));
}

static void every_certificate_is_accepted(void **state) {
  prove_fixture *f = *state;
  static const char *const games[] = {"tic-tac-toe", "connect-four", "breakthrough-6",
                                      "nim",         "hex-5",        "reversi"};
  for (size_t i = 0; i < sizeof games / sizeof *games; i++) {
    read_builtin(f, games[i]);
    assert_accepted(f, certificate_for(f, "playable", "induction"));
    assert_accepted(f, certificate_for(f, "playable", "pdr"));
    assert_accepted(f, certificate_for(f, "mutex", "induction"));
  }
  read_builtin(f, "tic-tac-toe");
  assert_accepted(f, certificate_for(f, "goals", "pdr"));
  assert_accepted(f, certificate_for(f, "goals", "induction"));
  assert_accepted(f, certificate_for(f, "invariant (not (and (mark 1 1 x) (mark 1 1 o)))", "pdr"));
  read_builtin(f, "unsound/never-wins");
  assert_accepted(f, certificate_for(f, "winnable second", "pdr"));
}

/* ---- mutation ---- */

/* The text without its line number `line`; NULL: there is no such line. */
static const char *without_line(prove_fixture *f, const char *words, uint32_t line) {
  text out = text_new(f->keep);
  const char *at = words;
  for (uint32_t i = 0; i < line && at; i++) at = strchr(at, '\n') ? strchr(at, '\n') + 1 : NULL;
  if (!at || !*at) return NULL;
  text_add_bytes(&out, words, (size_t)(at - words));
  text_add(&out, strchr(at, '\n') + 1);
  return text_string(&out);
}

static const char *replaced(prove_fixture *f, const char *words, const char *from, const char *to) {
  text out = text_new(f->keep);
  const char *at = strstr(words, from);
  assert_non_null(at);
  text_add_bytes(&out, words, (size_t)(at - words));
  text_add(&out, to);
  text_add(&out, at + strlen(from));
  return text_string(&out);
}

/* Most clauses that pdr finds are needed: without one of them something is missing. */
static void a_clause_that_is_needed_is_missed(void **state) {
  prove_fixture *f = *state;
  uint32_t rejected = 0;
  read_builtin(f, "tic-tac-toe");
  const char *good = certificate_for(f, "goals", "pdr");
  for (uint32_t line = 2; without_line(f, good, line); line++) {
    certificate_report r;
    rejected += !is_accepted(f, without_line(f, good, line), &r);
  }
  assert_true(rejected > 5);
}

static void a_changed_certificate_is_rejected(void **state) {
  prove_fixture *f = *state;
  read_builtin(f, "tic-tac-toe");
  const char *good = certificate_for(f, "goals", "induction");
  assert_accepted(f, good);
  assert_rejected(f, replaced(f, good, "(control o) (control x)", "(control o) (not (control x))"),
                  "a fact does not hold at the start");
  assert_rejected(f, replaced(f, good, "(at-most-one", "(exactly-one"), "at the start");
  assert_rejected(f, replaced(f, good, "(property goals)", "(property winnable x)"),
                  "the facts do not rule out");
  assert_rejected(f, replaced(f, good, "(property goals)", "(property terminates)"),
                  "no certificate can be given");
  assert_rejected(f, replaced(f, good, "(at-most-one", "(at-most-two"), "this is no fact");
  assert_rejected(f, replaced(f, good, "(mark 1 1 o)", "(mark 1 7 o)"), "there is no such fluent");
  assert_rejected(f, "(property goals) (k 0)", "the facts do not rule out");
  assert_rejected(f, "(property goals) (k 0) (at-least-one (not (mark 2 2 x)))",
                  "a step may break");
  assert_rejected(f, "(exactly-one (control x) (control o))", "begins with a property");
}

static void a_role_that_is_not_there_is_rejected(void **state) {
  prove_fixture *f = *state;
  read_builtin(f, "tic-tac-toe");
  assert_rejected(f, "(property winnable robott) (k 0)", "there is no such role: robott");
  assert_rejected(f, "(property winnable robott) (k 2)", "there is no such role: robott");
}

static void mutex_needs_a_group(void **state) {
  prove_fixture *f = *state;
  static const char *const empty[] = {"(property mutex)", "(property mutex) (k 0)",
                                      "(property mutex) (at-least-one (control x) (control o))",
                                      "(property mutex) (at-most-one (control x))"};
  read_builtin(f, "tic-tac-toe");
  for (size_t i = 0; i < sizeof empty / sizeof *empty; i++)
    assert_rejected(f, empty[i], "there is no group of fluents of which at most one holds");
  assert_accepted(f, "(property mutex) (at-most-one (control x) (control o))");
}

/* Sixty steps are more work than there is time for. */
static void a_check_that_has_no_time_says_so(void **state) {
  prove_fixture *f = *state;
  certificate_report r;
  read_builtin(f, "peg-solitaire");
  f->b = budget_new(2, 0);
  assert_false(is_accepted(f, "(property goals) (k 60)", &r));
  assert_int_equal(r.rejected, 0);
  assert_int_equal(r.unchecked, 1);
  assert_string_equal(text_string(&r.words),
                      "(property goals): not checked: the time limit was reached\n");
}

/* The proof of one game is none for another. */
static void a_proof_is_of_its_game(void **state) {
  prove_fixture *f = *state;
  read_builtin(f, "connect-four");
  const char *good = certificate_for(f, "playable", "induction");
  read_builtin(f, "tic-tac-toe");
  assert_rejected(f, good, "");
}

static void an_empty_certificate_proves_nothing(void **state) {
  prove_fixture *f = *state;
  certificate_report r;
  read_builtin(f, "tic-tac-toe");
  assert_false(is_accepted(f, "", &r));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      a_test(every_certificate_is_accepted),
      a_test(a_clause_that_is_needed_is_missed),
      a_test(a_changed_certificate_is_rejected),
      a_test(a_proof_is_of_its_game),
      a_test(an_empty_certificate_proves_nothing),
      a_test(a_role_that_is_not_there_is_rejected),
      a_test(mutex_needs_a_group),
      a_test(a_check_that_has_no_time_says_so),
  };
  return cmocka_run_group_tests_name("prove/certificate", tests, NULL, NULL);
}
