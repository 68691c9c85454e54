#include "prove/certificate.h"
#include "prove/check_certificate.h"
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

/* They are read while no move is made; the clauses of a step have one that is. */
static void what_depends_on_moves_at_rest_is_not_checked(void **state) {
  prove_fixture *f = *state;
  static const char both[] = "(property mutex) (k 0) (at-most-one p q)";
  static const char why[] = "depends on does";
  read_game(f, "(role r) (init p) (<= (legal r a) (not (does r a))) (legal r b) (goal r 0)\n"
               "(<= (next p) (true p)) (<= terminal (true q)) (<= (next q) (does r a))");
  assert_rejected(f, both, why);
  read_game(f, "(role r) (init p) (legal r a) (legal r b) (goal r 0) (<= terminal (does r a))\n"
               "(<= (next p) (true p)) (<= (next q) (does r a))");
  assert_rejected(f, both, why);
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
  assert_accepted(f, certificate_for(f, "goals", "induction"));
  assert_accepted(f, certificate_for(f, "monotone", "induction"));
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
                  "there is no measure");
  assert_rejected(f, replaced(f, good, "(property goals)", "(property dead)"),
                  "no certificate can be given");
  assert_rejected(f, replaced(f, good, "(at-most-one", "(at-most-two"), "this is no fact");
  assert_rejected(f, replaced(f, good, "(mark 1 1 o)", "(mark 1 7 o)"), "there is no such fluent");
  assert_rejected(f, "(property goals) (k 0)", "the facts do not rule out");
  assert_rejected(f, "(property goals) (k 0) (at-least-one (not (mark 2 2 x)))",
                  "a step may break");
  assert_rejected(f, "(exactly-one (control x) (control o))", "begins with a property");
}

/* A player has the turn, and no square has pieces of both. */
static const char *squares_certificate(prove_fixture *f, const char *piece, uint32_t size) {
  text out = text_new(f->keep);
  text_add(&out, "(property mutex) (exactly-one (control black) (control white))");
  for (uint32_t i = 0; i < size * size; i++)
    text_add_format(&out, "(at-most-one (%s %u %u black) (%s %u %u white))", piece, i / size + 1,
                    i % size + 1, piece, i / size + 1, i % size + 1);
  return text_string(&out);
}

/* Games that have too many rules for all facts to be asked about together. */
static void a_changed_group_is_rejected(void **state) {
  prove_fixture *f = *state;
  static const struct {
    const char *game, *piece;
    uint32_t size;
    const char *group, *others[3];
  } cases[] = {{"reversi",
                "disc",
                8,
                "(at-most-one (disc 1 1 black) (disc 1 1 white))",
                {"(at-most-one (disc 1 1 black) (disc 1 2 white))",
                 "(at-most-one (disc 1 1 black) (disc 1 1 white) (disc 1 2 black))",
                 "(at-least-one (not (disc 1 1 black)))"}},
               {"amazons-6x6",
                "amazon",
                6,
                "(at-most-one (amazon 1 1 black) (amazon 1 1 white))",
                {"(at-most-one (amazon 1 1 black) (amazon 1 2 white))",
                 "(at-most-one (amazon 1 1 black) (amazon 1 1 white) (amazon 1 2 white))",
                 "(at-least-one (not (amazon 1 1 white)))"}}};
  f->b = budget_new(0, 0);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    read_builtin(f, cases[i].game);
    const char *good = squares_certificate(f, cases[i].piece, cases[i].size);
    assert_accepted(f, good);
    for (uint32_t k = 0; k < 3; k++)
      assert_rejected(f, replaced(f, good, cases[i].group, cases[i].others[k]), "a step may break");
  }
}

/* ---- measures ---- */

/* A counter, ranks of one level, ranks of several, and weights. */
static void measures_are_accepted(void **state) {
  prove_fixture *f = *state;
  static const char *const games[] = {"rock-paper-scissors", "connect-four", "breakthrough-6",
                                      "peg-solitaire", "hex-5"};
  for (size_t i = 0; i < sizeof games / sizeof *games; i++) {
    read_builtin(f, games[i]);
    const char *good = certificate_for(f, "terminates", "termination");
    assert_non_null(strstr(good, "(measure "));
    assert_accepted(f, good);
  }
}

#define COUNT_TO_THREE \
  "(role r) (init (step 0)) (legal r go) (goal r 50) (<= terminal (true (step 3)))\n" \
  "(<= (next (step 1)) (true (step 0))) (<= (next (step 2)) (true (step 1)))\n" \
  "(<= (next (step 3)) (true (step 2)))"

#define STEPS "(exactly-one (step 0) (step 1) (step 2) (step 3))"

/* Every weight and every fluent of a measure matters. */
static void a_changed_measure_is_rejected(void **state) {
  prove_fixture *f = *state;
  read_game(f, COUNT_TO_THREE);
  assert_accepted(f, "(property terminates) (k 1)" STEPS
                     "(measure (3 (step 0)) (2 (step 1)) (1 (step 2)))");
  assert_accepted(f, "(property terminates) (k 1)" STEPS
                     "(measure (9 (step 0)) (5 (step 1)) (1 (not (step 3))))");
  assert_rejected(
      f, "(property terminates) (k 1)" STEPS "(measure (3 (step 0)) (2 (step 1)) (2 (step 2)))",
      "steps may leave all measures as they are");
  assert_rejected(
      f, "(property terminates) (k 1)" STEPS "(measure (2 (step 0)) (3 (step 1)) (1 (step 2)))",
      "a step may raise a measure");
  assert_rejected(f,
                  "(property terminates) (k 1)" STEPS
                  "(measure (3 (step 0)) (2 (step 1)) (1 (not (step 2))))",
                  "a step may raise a measure");
  assert_rejected(f,
                  "(property terminates) (k 1)"
                  "(measure (3 (step 0)) (2 (step 1)) (1 (step 2)))",
                  "");
  assert_rejected(
      f, "(property terminates) (k 0)" STEPS "(measure (3 (step 0)) (2 (step 1)) (1 (step 2)))",
      "there is no measure");
  assert_rejected(f, "(property terminates) (k 1)" STEPS "(measure (-3 (step 0)))",
                  "this is no number");
  assert_rejected(f, "(property terminates) (k 1)" STEPS "(measure (3 (step 9)))",
                  "there is no such fluent");
  assert_rejected(f, "(property terminates) (k 1)" STEPS "(measure (step 1))", "this is no");
}

/* Two measures, of which the second may grow where the first falls; and k steps together. */
static void measures_are_read_like_a_word(void **state) {
  prove_fixture *f = *state;
  read_game(f, "(role r) (init (a 1)) (init (b 1)) (legal r go) (goal r 50)\n"
               "(<= terminal (true (a 0)) (true (b 0)))\n"
               "(<= (next (a 1)) (true (a 1)) (true (b 1)))"
               "(<= (next (a 0)) (true (a 1)) (true (b 0))) (<= (next (a 0)) (true (a 0)))\n"
               "(<= (next (b 0)) (true (b 1))) (<= (next (b 1)) (true (b 0)))");
  assert_accepted(f, "(property terminates) (k 1) (exactly-one (a 0) (a 1))"
                     "(exactly-one (b 0) (b 1)) (measure (1 (a 1))) (measure (1 (b 1)))");
  assert_rejected(f,
                  "(property terminates) (k 1) (exactly-one (a 0) (a 1))"
                  "(exactly-one (b 0) (b 1)) (measure (1 (b 1))) (measure (1 (a 1)))",
                  "a step may raise a measure");
  read_game(f, "(role r) (init (step 0)) (legal r go) (goal r 50) (<= terminal (true (step 2)))\n"
               "(<= (next (step 1)) (true (step 0))) (<= (next (step 2)) (true (step 1)))");
  assert_rejected(f,
                  "(property terminates) (k 1) (exactly-one (step 0) (step 1) (step 2))"
                  "(measure (1 (step 2)) (1 (step 1)) (1 (not (step 1))))",
                  "");
  assert_accepted(f, "(property terminates) (k 2) (exactly-one (step 0) (step 1) (step 2))"
                     "(measure (1 (step 0)))");
  assert_rejected(f,
                  "(property terminates) (k 1) (exactly-one (step 0) (step 1) (step 2))"
                  "(measure (1 (step 0)))",
                  "steps may leave");
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

/* ---- facts that are asked about one by one ---- */

/* A token goes from one of twelve places to another. */
#define TOKEN \
  "(role r) (init (at 1)) (goal r 50) (<= terminal (true (at 6)))\n" \
  "(place 1) (place 2) (place 3) (place 4) (place 5) (place 6) (place 7) (place 8) (place 9)\n" \
  "(place 10) (place 11) (place 12) (<= (next (at ?v)) (does r (move ?u ?v)))\n" \
  "(<= (legal r (move ?u ?v)) (true (at ?u)) (place ?v) (distinct ?u ?v))\n" \
  "(<= (next (at ?x)) (true (at ?x)) (does r (move ?u ?v)) (distinct ?x ?u) (distinct ?x ?v))\n"

#define TWO_TO_TWELVE \
  "(at 2) (at 3) (at 4) (at 5) (at 6) (at 7) (at 8) (at 9) (at 10) (at 11) (at 12))"
#define AT_MOST_ONE "(property mutex) (k 0) (at-most-one (at 1) " TWO_TO_TWELVE
#define EXACTLY_ONE "(property mutex) (k 0) (exactly-one (at 1) " TWO_TO_TWELVE

static void no_way_to_break_a_fact_is_passed_over(void **state) {
  prove_fixture *f = *state;
  static const char why[] = "a step may break a fact";
  read_game(f, TOKEN);
  assert_accepted(f, AT_MOST_ONE);
  assert_accepted(f, EXACTLY_ONE);
  assert_rejected(f, "(property mutex) (k 0) (at-most-one " TWO_TO_TWELVE, why);
  read_game(f, TOKEN "(<= (legal r (move 3 12)) (true (at 5)))"); /* another token comes */
  assert_rejected(f, AT_MOST_ONE, why);
  assert_rejected(f, EXACTLY_ONE, why);
  read_game(f, TOKEN "(<= (next (at 1)) (does r (move 1 2)))"); /* it goes and stays */
  assert_rejected(f, AT_MOST_ONE, why);
  read_game(f, TOKEN "(<= (legal r lose) (true (at 12)))");
  assert_accepted(f, AT_MOST_ONE);
  assert_rejected(f, EXACTLY_ONE, why);
  read_game(f, TOKEN "(<= (legal r lose) (true (at 6)))"); /* where the game has ended */
  assert_accepted(f, EXACTLY_ONE);
  read_game(f, TOKEN "(<= (legal r (move 3 12)) (true (at 6)))");
  assert_accepted(f, AT_MOST_ONE);
}

/* ---- lines, steps and all states ---- */

static void lines_are_played_again(void **state) {
  prove_fixture *f = *state;
  read_builtin(f, "unsound/stuck-after-twelve");
  const char *stuck = certificate_for(f, "playable", "bmc");
  assert_accepted(f, stuck);
  assert_rejected(f, replaced(f, stuck, "(property playable)", "(property goals)"),
                  "the line does not show it");
  assert_rejected(f, replaced(f, stuck, "((turn b))", "((turn a))"), "the line does not show it");
  assert_rejected(f, replaced(f, stuck, "((turn b))", "((turn z))"), "there is no such move");
  assert_rejected(f, replaced(f, stuck, "((turn b))", "((turn b) (turn b))"), "no joint move");
  assert_rejected(f, replaced(f, stuck, "((turn b))", ""), "the line does not show it");
  read_builtin(f, "unsound/runs-in-circles");
  const char *round = certificate_for(f, "terminates", "exhaustive");
  assert_accepted(f, round);
  assert_rejected(f, replaced(f, round, "(returns-to ", "(returns-to 1"), "does not show it");
  read_builtin(f, "tic-tac-toe");
  const char *won = certificate_for(f, "winnable x", "probe");
  assert_accepted(f, won);
  assert_rejected(f, replaced(f, won, "winnable x", "winnable o"), "the line does not show it");
}

static void bounds_on_steps_are_checked(void **state) {
  prove_fixture *f = *state;
  read_builtin(f, "unsound/never-wins");
  assert_accepted(f, certificate_for(f, "winnable second", "bmc"));
  read_game(f, COUNT_TO_THREE);
  assert_accepted(f, "(property terminates) (steps 3)");
  assert_rejected(f, "(property terminates) (steps 2)", "there is a longer play");
  assert_accepted(f, "(property goals) (steps 3)");
  assert_rejected(f, "(property unreachable (step 3)) (steps 3)", "what is forbidden");
  assert_rejected(f, "(property unreachable (step 3)) (steps 1000000)", "too many steps");
}

static void all_states_are_looked_at_again(void **state) {
  prove_fixture *f = *state;
  read_builtin(f, "nim");
  const char *ends = certificate_for(f, "terminates", "exhaustive");
  assert_accepted(f, ends);
  assert_rejected(f, replaced(f, ends, "(longest 19)", "(longest 18)"), "another length");
  assert_accepted(f, certificate_for(f, "playable", "exhaustive"));
  assert_rejected(f, "(property winnable first) (exhaustive)", "the other way");
  static const char *const not_of_states[] = {"(property strongly-winnable second) (exhaustive)",
                                              "(property dead) (exhaustive)",
                                              "(property monotone) (exhaustive)"};
  for (size_t i = 0; i < sizeof not_of_states / sizeof *not_of_states; i++)
    assert_rejected(f, not_of_states[i], "no certificate can be given");
  read_builtin(f, "unsound/runs-in-circles");
  assert_rejected(f, "(property terminates) (exhaustive) (longest 4)", "need not end");
  read_builtin(f, "unsound/goal-missing");
  assert_rejected(f, "(property goals) (exhaustive)", "has no goal");
}

static void groups_are_looked_for_in_all_states(void **state) {
  prove_fixture *f = *state;
  read_builtin(f, "tic-tac-toe");
  const char *words = certificate_for(f, "mutex", "exhaustive");
  assert_non_null(strstr(words, "(property mutex)\n(exhaustive)\n"));
  assert_accepted(f, words);
  assert_rejected(f, "(property mutex) (exhaustive) (at-most-one (mark 1 1 x) (mark 2 2 x))",
                  "a fact does not hold in every state");
  assert_rejected(f, "(property mutex) (exhaustive) (exactly-one (mark 1 1 x) (mark 1 1 o))",
                  "a fact does not hold in every state");
  assert_rejected(f, "(property mutex) (exhaustive)", "there is no group");
  assert_rejected(f, "(property mutex) (steps 9) (at-most-one (mark 1 1 x) (mark 2 2 x))",
                  "is not evidence");
}

static void a_section_has_one_kind_of_evidence(void **state) {
  prove_fixture *f = *state;
  static const struct {
    const char *words, *why;
  } mixed[] = {
      {"(property playable) (exhaustive) (steps 19)", "more than one kind"},
      {"(property playable) (exhaustive) (k 1)", "more than one kind"},
      {"(property playable) (steps 19) (exactly-one)", "is not evidence"},
      {"(property playable) (steps 19) (longest 3)", "is not evidence"},
      {"(property playable) (exhaustive) (longest 19)", "is not evidence"},
      {"(property playable) (exhaustive) (returns-to 1)", "is not evidence"},
      {"(property playable) (k 0) (measure (1 (heap a 0)))", "is not evidence"},
      {"(property winnable first) (line ((take a 1) noop)) (exactly-one)", "is not evidence"},
      {"(property playable) (exhaustive) (exactly-one)", "does not hold in every state"},
  };
  read_builtin(f, "nim");
  for (size_t i = 0; i < sizeof mixed / sizeof *mixed; i++)
    assert_rejected(f, mixed[i].words, mixed[i].why);
}

static void goals_that_never_fall_are_checked(void **state) {
  prove_fixture *f = *state;
  static const char rises[] =
      "(role r) (init (at 0)) (legal r up) (<= (next (at 1)) (true (at 0)))\n"
      "(<= terminal (true (at 1))) (<= (goal r 0) (true (at 0))) (<= (goal r 100) (true (at 1)))";
  read_game(f, rises);
  const char *good = certificate_for(f, "monotone", "induction");
  assert_accepted(f, good);
  assert_rejected(f, "(property monotone) (k 0)", "do not rule out");
  assert_rejected(f, "(property monotone) (exhaustive)", "no certificate can be given");
  assert_rejected(f, "(property monotone) (steps 1)", "by facts alone");
  read_game(f, replaced(f, rises, "(goal r 0)", "(goal r 100)"));
  assert_accepted(f, good);
  read_game(f, replaced(f, replaced(f, rises, "(goal r 100)", "(goal r 10)"), "(goal r 0)",
                        "(goal r 50)"));
  assert_rejected(f, good, "a step may make a goal smaller");
}

/* That c is linked could hold itself up by way of a and b, but nothing begins it. */
static void recursive_rules_have_one_model(void **state) {
  prove_fixture *f = *state;
  read_game(f, "(role r) (init x) (legal r go) (adj a b) (adj b c) (adj c a)\n"
               "(<= (next x) (true y)) (<= (next y) (true x)) (<= (next end) (does r go))\n"
               "(<= (next (mark a)) (true x) (true y)) (<= terminal (true end))\n"
               "(<= (linked ?x) (true (mark ?x))) (<= (linked ?y) (linked ?x) (adj ?x ?y))\n"
               "(<= (goal r 100) (linked c)) (<= (goal r 0) (not (linked c)))");
  assert_accepted(f, "(property winnable r) (k 0) (exactly-one x y)"
                     "(at-least-one (not (mark a)))");
  assert_rejected(f, "(property winnable r) (k 0) (exactly-one x y)", "do not rule out");
  assert_rejected(f, "(property winnable r) (k 0) (at-least-one (not (mark a)))", "a step may");
}

/* What was asked with variables is checked for all their instances. */
static void formulas_are_certified_by_their_instances(void **state) {
  prove_fixture *f = *state;
  read_builtin(f, "tic-tac-toe");
  const char *good =
      certificate_for(f, "invariant (or (not (mark ?x ?y x)) (not (mark ?x ?y o)))", "induction");
  assert_null(strchr(good, '?'));
  assert_accepted(f, good);
  assert_rejected(f, replaced(f, good, "(not (mark 3 3 o))", "(mark 3 3 o)"), "do not rule out");
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
      a_test(what_depends_on_moves_at_rest_is_not_checked),
      a_test(what_is_not_checked_is_not_certified),
      a_test(goals_of_chance_do_not_count),
      a_test(every_certificate_is_accepted),
      a_test(a_clause_that_is_needed_is_missed),
      a_test(a_changed_certificate_is_rejected),
      a_test(a_changed_group_is_rejected),
      a_test(a_proof_is_of_its_game),
      a_test(an_empty_certificate_proves_nothing),
      a_test(measures_are_accepted),
      a_test(a_changed_measure_is_rejected),
      a_test(measures_are_read_like_a_word),
      a_test(every_weight_is_needed),
      a_test(no_way_to_break_a_fact_is_passed_over),
      a_test(lines_are_played_again),
      a_test(bounds_on_steps_are_checked),
      a_test(all_states_are_looked_at_again),
      a_test(groups_are_looked_for_in_all_states),
      a_test(a_section_has_one_kind_of_evidence),
      a_test(formulas_are_certified_by_their_instances),
      a_test(goals_that_never_fall_are_checked),
      a_test(recursive_rules_have_one_model),
      a_test(a_role_that_is_not_there_is_rejected),
      a_test(mutex_needs_a_group),
      a_test(a_check_that_has_no_time_says_so),
  };
  return cmocka_run_group_tests_name("prove/certificate", tests, NULL, NULL);
}
