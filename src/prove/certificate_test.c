#include "certify/certify.h"
#include "prove/certificate.h"
#include "prove/prove_fixture.h"

#include <stdlib.h>

/* The certificate of a property, by a method that gives one. */
static const char *certificate_for(prove_fixture *f, const char *words, const char *method) {
  const finding *v = found(f, words, method);
  text out = text_new(f->keep);
  assert_true(finding_has_certificate(&f->j.properties.items[0], v));
  certificate_print(&f->j.properties.items[0], v, &f->j.g.circuit, &out);
  return text_string(&out);
}

/* NULL: it is not written as the grammar says; `why` has what is told first. */
static const certificate *read_words(prove_fixture *f, const char *words, const char **why) {
  source *s = arena_alloc_zero(f->keep, sizeof *s);
  certificate *c = arena_alloc_zero(f->keep, sizeof *c);
  diag_sink d;
  diag_sink_init(&d, f->keep);
  *s = source_of("certificate", words, (uint32_t)strlen(words));
  const bool ok = certificate_read(c, s, f->keep, &d);
  *why = ok ? NULL : d.all.items[0].message;
  return ok ? c : NULL;
}

/* Are all sections?  `why` has what is told of the first that is not, else of the first. */
static bool is_accepted(prove_fixture *f, const char *words, const char **why) {
  const certificate *c = read_words(f, words, why);
  certificate_report r;
  if (!c) return false;
  assert_true(certificate_check(&r, c, &f->p, f->keep, &f->b, &f->d));
  uint32_t i = 0;
  while (i < r.sections.count && r.sections.items[i].result == SECTION_ACCEPTED) i++;
  *why = r.sections.items[i < r.sections.count ? i : 0].words;
  return i == r.sections.count;
}

static void assert_accepted(prove_fixture *f, const char *words, const char *says) {
  const char *why;
  if (!is_accepted(f, words, &why) || !strstr(why, says)) fail_msg("%s", why);
}

static void assert_rejected(prove_fixture *f, const char *words, const char *reason) {
  const char *why;
  if (is_accepted(f, words, &why) || !strstr(why, reason)) fail_msg("%s", why);
}

static void what_is_not_checked_is_not_certified(void **state) {
  prove_fixture *f = *state;
  read_game(f, "(role r) (init (s 1)) (<= (legal r a) (not (does r a))) (legal r b) (goal r 0)\n"
               "(<= (next (s 2)) (true (s 1))) (<= (next (s 1)) (true (s 2)))\n"
               "(<= terminal (true (s 3))) (<= (next (s 3)) (true (s 2)) (does r a) (does r b))");
  const finding *v = found(f, "mutex", "induction");
  assert_true(v->groups->all.count > 0);
  assert_false(finding_has_certificate(&f->j.properties.items[0], v));
}

/* The goals of `random` may fall, be several or none. */
static void goals_of_chance_do_not_count(void **state) {
  prove_fixture *f = *state;
  read_game(f, "(role random) (role a) (init (p 1)) (<= (legal ?r go) (role ?r)) (goal a 50)\n"
               "(<= (next (p 2)) (true (p 1))) (<= (next (p 3)) (true (p 2)))\n"
               "(<= terminal (true (p 3))) (<= (goal random 100) (true (p 1)))\n"
               "(<= (goal random 0) (true (p 2))) (<= (goal random 1) (true (p 2)))");
  assert_accepted(f, certificate_for(f, "goals", "induction"), "goals is proved, by induction");
  assert_accepted(f, certificate_for(f, "monotone", "induction"), "monotone is proved");
}

static void every_certificate_is_accepted(void **state) {
  prove_fixture *f = *state;
  static const char *const games[] = {"tic-tac-toe", "connect-four", "breakthrough-6",
                                      "nim",         "hex-5",        "reversi"};
  for (size_t i = 0; i < sizeof games / sizeof *games; i++) {
    read_builtin(f, games[i]);
    assert_accepted(f, certificate_for(f, "playable", "induction"), "playable is proved");
    assert_accepted(f, certificate_for(f, "playable", "pdr"), "playable is proved");
    assert_accepted(f, certificate_for(f, "mutex", "induction"), "mutex is proved");
  }
  read_builtin(f, "tic-tac-toe");
  assert_accepted(f, certificate_for(f, "goals", "pdr"), "goals is proved");
  assert_accepted(f, certificate_for(f, "goals", "induction"), "goals is proved");
  assert_accepted(f, certificate_for(f, "invariant (not (and (mark 1 1 x) (mark 1 1 o)))", "pdr"),
                  "is proved");
  read_builtin(f, "unsound/never-wins");
  assert_accepted(f, certificate_for(f, "winnable second", "pdr"),
                  "winnable second is refuted, by induction");
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
    const char *why;
    rejected += !is_accepted(f, without_line(f, good, line), &why);
  }
  assert_true(rejected > 5);
}

static void a_changed_certificate_is_rejected(void **state) {
  prove_fixture *f = *state;
  read_builtin(f, "tic-tac-toe");
  const char *good = certificate_for(f, "goals", "induction");
  assert_accepted(f, good, "is proved");
  assert_rejected(f, replaced(f, good, "(control o) (control x)", "(control o) (not (control x))"),
                  "a fact does not hold at the start");
  assert_rejected(f, replaced(f, good, "(at-most-one", "(exactly-one"), "at the start");
  assert_rejected(f, replaced(f, good, "(property goals)", "(property winnable x)"),
                  "the facts do not rule out");
  assert_rejected(f, replaced(f, good, "(property goals)", "(property terminates)"),
                  "there is no `measure`");
  assert_rejected(f, replaced(f, good, "(property goals)", "(property dead)"),
                  "no certificate can be given");
  assert_rejected(f, replaced(f, good, "(at-most-one", "(at-most-two"), "no such part");
  assert_rejected(f, replaced(f, good, "(mark 1 1 o)", "(mark 1 7 o)"), "there is no such fluent");
  assert_rejected(f, "(property goals) (k 0)", "the facts do not rule out");
  assert_rejected(f, "(property goals) (k 0) (at-least-one (not (mark 2 2 x)))",
                  "a step may break");
  assert_rejected(f, "(exactly-one (control x) (control o))", "begins with (property");
}

/* A counter, ranks of one level, ranks of several, and weights. */
static void measures_are_accepted(void **state) {
  prove_fixture *f = *state;
  static const char *const games[] = {"rock-paper-scissors", "connect-four", "breakthrough-6",
                                      "peg-solitaire", "hex-5"};
  for (size_t i = 0; i < sizeof games / sizeof *games; i++) {
    read_builtin(f, games[i]);
    const char *good = certificate_for(f, "terminates", "termination");
    assert_non_null(strstr(good, "(measure "));
    assert_accepted(f, good, "terminates is proved, by ");
  }
}

/* In peg solitaire every peg counts, and there is one measure; one peg in eight is tried. */
static void every_weight_is_needed(void **state) {
  prove_fixture *f = *state;
  read_builtin(f, "peg-solitaire");
  const char *good = certificate_for(f, "terminates", "termination");
  const char *at = strstr(good, "(measure ");
  uint32_t seen = 0;
  for (at += strlen("(measure "); (at = strchr(at, '(')); at = strchr(at, ')') + 1) {
    if (seen++ % 8) continue;
    text bad = text_new(f->keep);
    text_add_bytes(&bad, good, (size_t)(at - good));
    text_add(&bad, "(0");
    text_add(&bad, strchr(at, ' '));
    assert_rejected(f, text_string(&bad), "");
  }
  assert_true(seen > 20);
}

/* ---- lines, steps and all states ---- */

static void lines_are_played_again(void **state) {
  prove_fixture *f = *state;
  read_builtin(f, "unsound/stuck-after-twelve");
  const char *stuck = certificate_for(f, "playable", "bmc");
  assert_accepted(f, stuck, "playable is refuted, by a line of");
  assert_rejected(f, replaced(f, stuck, "(property playable)", "(property goals)"),
                  "the line does not show it");
  assert_rejected(f, replaced(f, stuck, "((turn b))", "((turn a))"), "does not show it");
  assert_rejected(f, replaced(f, stuck, "((turn b))", "((turn z))"), "there is no such move");
  assert_rejected(f, replaced(f, stuck, "((turn b))", "((turn b) (turn b))"), "a joint move has");
  assert_rejected(f, replaced(f, stuck, "((turn b))", ""), "the line does not show it");
  read_builtin(f, "unsound/runs-in-circles");
  const char *round = certificate_for(f, "terminates", "exhaustive");
  assert_accepted(f, round, "terminates is refuted, by a line of");
  assert_rejected(f, replaced(f, round, "(returns-to ", "(returns-to 1"), "does not come back");
  read_builtin(f, "tic-tac-toe");
  const char *won = certificate_for(f, "winnable x", "probe");
  assert_accepted(f, won, "winnable x is proved, by a line of");
  assert_rejected(f, replaced(f, won, "winnable x", "winnable o"), "the line does not show it");
}

static void bounds_on_steps_are_checked(void **state) {
  prove_fixture *f = *state;
  read_builtin(f, "unsound/never-wins");
  assert_accepted(f, certificate_for(f, "winnable second", "bmc"),
                  "winnable second is refuted, by all plays");
}

static void all_states_are_looked_at_again(void **state) {
  prove_fixture *f = *state;
  read_builtin(f, "nim");
  const char *ends = certificate_for(f, "terminates", "exhaustive");
  assert_accepted(f, ends, "the longest play has 19 steps");
  assert_rejected(f, replaced(f, ends, "(longest 19)", "(longest 18)"), "another length");
  assert_accepted(f, certificate_for(f, "playable", "exhaustive"),
                  "playable is proved, by looking at all states");
}

static void groups_are_looked_for_in_all_states(void **state) {
  prove_fixture *f = *state;
  read_builtin(f, "tic-tac-toe");
  const char *words = certificate_for(f, "mutex", "exhaustive");
  assert_non_null(strstr(words, "(property mutex)\n(exhaustive)\n"));
  assert_accepted(f, words, "mutex is proved, by looking at all states");
  assert_rejected(f, "(property mutex) (exhaustive) (at-most-one (mark 1 1 x) (mark 2 2 x))",
                  "a fact does not hold in every state");
  assert_rejected(f, "(property mutex) (exhaustive) (exactly-one (mark 1 1 x) (mark 1 1 o))",
                  "a fact does not hold in every state");
  assert_rejected(f, "(property mutex) (exhaustive)", "there is no group");
  assert_rejected(f, "(property mutex) (steps 9) (at-most-one (mark 1 1 x) (mark 2 2 x))",
                  "not evidence for");
}

static void goals_that_never_fall_are_checked(void **state) {
  prove_fixture *f = *state;
  static const char rises[] =
      "(role r) (init (at 0)) (legal r up) (<= (next (at 1)) (true (at 0)))\n"
      "(<= terminal (true (at 1))) (<= (goal r 0) (true (at 0))) (<= (goal r 100) (true (at 1)))";
  read_game(f, rises);
  const char *good = certificate_for(f, "monotone", "induction");
  assert_accepted(f, good, "is proved");
  assert_rejected(f, "(property monotone) (k 0)", "do not rule out");
  assert_rejected(f, "(property monotone) (exhaustive)", "not evidence for `monotone`");
  assert_rejected(f, "(property monotone) (steps 1)", "not evidence for `monotone`");
  read_game(f, replaced(f, rises, "(goal r 0)", "(goal r 100)"));
  assert_accepted(f, good, "is proved");
  read_game(f, replaced(f, replaced(f, rises, "(goal r 100)", "(goal r 10)"), "(goal r 0)",
                        "(goal r 50)"));
  assert_rejected(f, good, "a step may make a goal smaller");
}

/* What was asked with variables is checked for all their instances. */
static void formulas_are_certified_by_their_instances(void **state) {
  prove_fixture *f = *state;
  read_builtin(f, "tic-tac-toe");
  const char *good =
      certificate_for(f, "invariant (or (not (mark ?x ?y x)) (not (mark ?x ?y o)))", "induction");
  assert_null(strchr(good, '?'));
  assert_accepted(f, good, "is proved");
  assert_rejected(f, replaced(f, good, "(not (mark 3 3 o))", "(mark 3 3 o)"), "do not rule out");
}

/* The proof of one game is none for another. */
static void a_proof_is_of_its_game(void **state) {
  prove_fixture *f = *state;
  read_builtin(f, "connect-four");
  const char *good = certificate_for(f, "playable", "induction");
  read_builtin(f, "tic-tac-toe");
  assert_rejected(f, good, "");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      a_test(what_is_not_checked_is_not_certified),
      a_test(goals_of_chance_do_not_count),
      a_test(every_certificate_is_accepted),
      a_test(a_clause_that_is_needed_is_missed),
      a_test(a_changed_certificate_is_rejected),
      a_test(a_proof_is_of_its_game),
      a_test(measures_are_accepted),
      a_test(every_weight_is_needed),
      a_test(lines_are_played_again),
      a_test(bounds_on_steps_are_checked),
      a_test(all_states_are_looked_at_again),
      a_test(groups_are_looked_for_in_all_states),
      a_test(formulas_are_certified_by_their_instances),
      a_test(goals_that_never_fall_are_checked),
  };
  return cmocka_run_group_tests_name("prove/certificate", tests, NULL, NULL);
}
