#include "certify/certify_fixture.h"

static const char *replaced(certify_fixture *f, const char *words, const char *from,
                            const char *to) {
  text out = text_new(f->keep);
  const char *at = strstr(words, from);
  assert_non_null(at);
  text_add_bytes(&out, words, (size_t)(at - words));
  text_add(&out, to);
  text_add(&out, at + strlen(from));
  return text_string(&out);
}

/* ---- measures ---- */

#define COUNT_TO_THREE \
  "(role r) (init (step 0)) (legal r go) (goal r 50) (<= terminal (true (step 3)))\n" \
  "(<= (next (step 1)) (true (step 0))) (<= (next (step 2)) (true (step 1)))\n" \
  "(<= (next (step 3)) (true (step 2)))"

#define STEPS "(exactly-one (step 0) (step 1) (step 2) (step 3))"

/* Every weight and every fluent of a measure matters. */
static void a_changed_measure_is_rejected(void **state) {
  certify_fixture *f = *state;
  read_game(f, COUNT_TO_THREE);
  assert_accepted(
      f, "(property terminates) (k 1)" STEPS "(measure (3 (step 0)) (2 (step 1)) (1 (step 2)))",
      "accepted: terminates is proved, by 1 measure (k 1, 1 fact)");
  assert_accepted(f,
                  "(property terminates) (k 1)" STEPS
                  "(measure (9 (step 0)) (5 (step 1)) (1 (not (step 3))))",
                  "is proved");
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
  assert_rejected(f, "(property terminates) (k 1)" STEPS "(measure (3 (step 9)))",
                  "there is no such fluent: (step 9) (line 1)");
}

/* Two measures, of which the second may grow where the first falls; and k steps together. */
static void measures_are_read_like_a_word(void **state) {
  certify_fixture *f = *state;
  read_game(f, "(role r) (init (a 1)) (init (b 1)) (legal r go) (goal r 50)\n"
               "(<= terminal (true (a 0)) (true (b 0)))\n"
               "(<= (next (a 1)) (true (a 1)) (true (b 1)))"
               "(<= (next (a 0)) (true (a 1)) (true (b 0))) (<= (next (a 0)) (true (a 0)))\n"
               "(<= (next (b 0)) (true (b 1))) (<= (next (b 1)) (true (b 0)))");
  assert_accepted(f,
                  "(property terminates) (k 1) (exactly-one (a 0) (a 1))"
                  "(exactly-one (b 0) (b 1)) (measure (1 (a 1))) (measure (1 (b 1)))",
                  "by 2 measures (k 1, 2 facts)");
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
  assert_accepted(f,
                  "(property terminates) (k 2) (exactly-one (step 0) (step 1) (step 2))"
                  "(measure (1 (step 0)))",
                  "by 1 measure (k 2, 1 fact)");
  assert_rejected(f,
                  "(property terminates) (k 1) (exactly-one (step 0) (step 1) (step 2))"
                  "(measure (1 (step 0)))",
                  "steps may leave");
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
  certify_fixture *f = *state;
  static const char why[] = "a step may break a fact";
  read_game(f, TOKEN);
  assert_accepted(f, AT_MOST_ONE, "mutex is proved");
  assert_accepted(f, EXACTLY_ONE, "mutex is proved");
  assert_rejected(f, "(property mutex) (k 0) (at-most-one " TWO_TO_TWELVE, why);
  read_game(f, TOKEN "(<= (legal r (move 3 12)) (true (at 5)))"); /* another token comes */
  assert_rejected(f, AT_MOST_ONE, why);
  assert_rejected(f, EXACTLY_ONE, why);
  read_game(f, TOKEN "(<= (next (at 1)) (does r (move 1 2)))"); /* it goes and stays */
  assert_rejected(f, AT_MOST_ONE, why);
  read_game(f, TOKEN "(<= (legal r lose) (true (at 12)))");
  assert_accepted(f, AT_MOST_ONE, "mutex is proved");
  assert_rejected(f, EXACTLY_ONE, why);
  read_game(f, TOKEN "(<= (legal r lose) (true (at 6)))"); /* where the game has ended */
  assert_accepted(f, EXACTLY_ONE, "mutex is proved");
  read_game(f, TOKEN "(<= (legal r (move 3 12)) (true (at 6)))");
  assert_accepted(f, AT_MOST_ONE, "mutex is proved");
}

/* A player has the turn, and no square has pieces of both. */
static const char *squares_certificate(certify_fixture *f, const char *piece, uint32_t size) {
  text out = text_new(f->keep);
  text_add(&out, "(property mutex) (k 0) (exactly-one (control black) (control white))");
  for (uint32_t i = 0; i < size * size; i++)
    text_add_format(&out, "(at-most-one (%s %u %u black) (%s %u %u white))", piece, i / size + 1,
                    i % size + 1, piece, i / size + 1, i % size + 1);
  return text_string(&out);
}

/* Games that have too many rules for all facts to be asked about together. */
static void a_changed_group_is_rejected(void **state) {
  certify_fixture *f = *state;
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
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    read_builtin(f, cases[i].game);
    const char *good = squares_certificate(f, cases[i].piece, cases[i].size);
    assert_accepted(f, good, "mutex is proved");
    for (uint32_t k = 0; k < 3; k++)
      assert_rejected(f, replaced(f, good, cases[i].group, cases[i].others[k]), "a step may break");
  }
}

/* ---- measures ---- */

/* ---- lines, steps and all states ---- */

#define TWO_DOORS \
  "(role r) (init (at 0)) (legal r (go 1)) (<= (legal r (go 2)) (true (at 0)))\n" \
  "(<= (next (at ?x)) (does r (go ?x))) (<= terminal (true (at 2)))\n" \
  "(<= (goal r 100) (true (at 2))) (<= (goal r 0) (not (true (at 2))))"

static void lines_are_played(void **state) {
  certify_fixture *f = *state;
  read_game(f, TWO_DOORS);
  assert_accepted(f, "(property winnable r) (line ((go 2)))",
                  "accepted: winnable r is proved, by a line of 1 step");
  assert_rejected(f, "(property winnable r) (line ((go 1)))", "does not show it");
  assert_rejected(f, "(property winnable r) (line ((go 1)) ((go 2)))", "is not legal");
  assert_rejected(f, "(property winnable r) (line ((go 2)) ((go 1)))", "goes on after the end");
  assert_rejected(f, "(property winnable r) (line ((go 3)))", "there is no such move: (go 3)");
  assert_rejected(f, "(property winnable r) (line ((go 2) (go 2)))", "a move for each role");
  assert_rejected(f, "(property winnable r) (line)", "does not show it");
  assert_rejected(f, "(property playable) (line ((go 1)))", "does not show it");
  assert_accepted(f, "(property unreachable (at 1)) (line ((go 1)))", "(at 1) is refuted, by");
  assert_accepted(f, "(property terminates) (line ((go 1)) ((go 1))) (returns-to 1)",
                  "terminates is refuted, by a line of 2 steps that can be repeated for ever");
  assert_rejected(f, "(property terminates) (line ((go 1))) (returns-to 1)", "does not come back");
  assert_rejected(f, "(property terminates) (line ((go 2))) (returns-to 0)", "after the end");
}

/* What is asked of its last step is asked of no other. */
static void goals_that_fall_are_seen_in_the_last_step(void **state) {
  certify_fixture *f = *state;
  read_game(f, "(role r) (init (at 9)) (legal r go) (<= terminal (true (at 7)))\n"
               "(<= (next (at 8)) (true (at 9))) (<= (next (at 7)) (true (at 8)))\n"
               "(<= (goal r 9) (true (at 9))) (<= (goal r 8) (true (at 8)))\n"
               "(<= (goal r 8) (true (at 7)))");
  assert_accepted(f, "(property monotone) (line (go))", "monotone is refuted, by a line of 1 step");
  assert_rejected(f, "(property monotone) (line (go) (go))", "does not show it");
  assert_rejected(f, "(property monotone) (line)", "does not show it");
}

static void bounds_on_steps_are_checked(void **state) {
  certify_fixture *f = *state;
  read_game(f, COUNT_TO_THREE);
  assert_accepted(f, "(property terminates) (steps 3)",
                  "terminates is proved, by all plays, which have at most 3 steps");
  assert_accepted(f, "(property terminates) (steps 4)", "at most 4 steps");
  assert_rejected(f, "(property terminates) (steps 2)", "there is a longer play");
  assert_accepted(f, "(property goals) (steps 3)", "goals is proved");
  assert_rejected(f, "(property unreachable (step 3)) (steps 3)", "what is forbidden");
  assert_unchecked(f, "(property unreachable (step 3)) (steps 1000000)", "too many steps");
}

static void all_states_are_looked_at(void **state) {
  certify_fixture *f = *state;
  read_builtin(f, "nim");
  assert_rejected(f, "(property winnable first) (exhaustive)", "the other way");
  assert_rejected(f, "(property playable) (exhaustive) (exactly-one)", "hold in every state");
  read_builtin(f, "unsound/runs-in-circles");
  assert_rejected(f, "(property terminates) (exhaustive) (longest 4)", "need not end");
  read_builtin(f, "unsound/goal-missing");
  assert_rejected(f, "(property goals) (exhaustive)", "the other way");
  read_game(f, COUNT_TO_THREE);
  assert_accepted(f, "(property terminates) (exhaustive) (longest 3)",
                  "by looking at all states (4); the longest play has 3 steps");
  assert_rejected(f, "(property terminates) (exhaustive) (longest 4)", "another length");
}

/* Machine `datalog` does not take such roles. */
static void roles_may_have_arguments(void **state) {
  certify_fixture *f = *state;
  static const char game[] =
      "(role (robot a b)) (init (at 0)) (legal (robot a b) go) (<= (next (at 1)) (true (at 0)))\n"
      "(<= terminal (true (at 1))) (goal (robot a b) 100)";
  read_game(f, game);
  assert_accepted(f, "(property playable) (exhaustive)", "playable is proved, by looking at all");
  assert_accepted(f, "(property winnable (robot a b)) (line (go))", "(robot a b) is proved");
  assert_accepted(f, "(property goals) (k 0)", "goals is proved");
  assert_rejected(f, "(property winnable robot) (line (go))", "there is no such role: robot");
}

/* ---- properties ---- */

static void formulas_are_read_as_they_are_written(void **state) {
  certify_fixture *f = *state;
  read_game(f, COUNT_TO_THREE);
  assert_accepted(f,
                  "(property invariant (or (step 0) (step 1) (step 2) (true (step 3)))) (steps 3)",
                  "is proved");
  assert_accepted(f, "(property unreachable (and (step 0) (not (step 0)))) (k 0)", "is proved");
  assert_accepted(f, "(property invariant (distinct a b)) (k 0)", "is proved");
  assert_rejected(f, "(property invariant (distinct a a)) (k 0)", "do not rule out");
  assert_accepted(f, "(property unreachable (or)) (k 0)", "is proved");
  assert_rejected(f, "(property unreachable (and)) (k 0)", "do not rule out");
  assert_rejected(f, "(property unreachable (leap 0)) (k 0)", "there is no such fluent: (leap 0)");
  assert_rejected(f, "(property unreachable step) (k 0)", "there is no such fluent: step");
  assert_rejected(f, "(property unreachable (step 9)) (k 0)", "there is no such fluent");
}

/* A fluent that the rules write, and that grounding leaves out, is false. */
static void what_never_holds_may_be_asked_about(void **state) {
  certify_fixture *f = *state;
  read_game(
      f, "(role r) (init a) (legal r go) (goal r 0) (<= terminal (true b)) (<= (next b) (true a))\n"
         "(<= (next (ghost 1)) (true (ghost 2)))");
  assert_accepted(f, "(property unreachable (ghost 1)) (k 0)", "unreachable (ghost 1) is proved");
  assert_rejected(f, "(property unreachable (ghost 3)) (k 0)", "there is no such fluent");
  assert_rejected(f, "(property mutex) (k 0) (at-most-one a (ghost 1))", "there is no such fluent");
}

/* Names are compared by their bytes, and not by how they are printed. */
static void names_with_blanks_are_told_apart(void **state) {
  certify_fixture *f = *state;
  read_game(f, "(role r) (init (g x\\ y z)) (legal r go) (goal r 0) (<= terminal (true done))\n"
               "(<= (next (g x y\\ z)) (does r go)) (<= (next done) (true (g x y\\ z)))");
  assert_accepted(f, "(property unreachable (and (g x\\ y z) (g x y\\ z))) (steps 2)", "is proved");
  assert_rejected(f, "(property unreachable (g x\\ y z)) (steps 2)", "can be reached");
  assert_rejected(f, "(property unreachable (g x y\\ z)) (steps 2)", "can be reached");
  assert_rejected(f, "(property mutex) (k 0) (at-most-one (g x y z) done)", "no such fluent");
}

static void long_numbers_are_goals(void **state) {
  certify_fixture *f = *state;
  static const char game[] = "(role r) (init (n 0)) (<= (legal r go) (true (n 0)))\n"
                             "(<= (next (n 1)) (does r go)) (<= terminal (true (n 1)))";
  text words = text_new(f->keep);
  text_add_format(&words, "%s (goal r 00000000000100)", game);
  read_game(f, text_string(&words));
  assert_accepted(f, "(property goals) (k 0) (property winnable r) (line (go))", "goals is proved");
  assert_rejected(f, "(property winnable r) (steps 1)", "can be reached");
  read_game(f, replaced(f, text_string(&words), "00000000000100", "1\\ "));
  assert_rejected(f, "(property goals) (k 0)", "do not rule out");
  assert_rejected(f, "(property goals) (exhaustive)", "the other way");
}

/* They are read while no move is made; the clauses of a step have one that is. */
static void what_depends_on_moves_at_rest_is_not_checked(void **state) {
  certify_fixture *f = *state;
  static const char both[] = "(property mutex) (k 0) (at-most-one p q)";
  static const char why[] = "depends on does";
  read_game(f, "(role r) (init p) (<= (legal r a) (not (does r a))) (legal r b) (goal r 0)\n"
               "(<= (next p) (true p)) (<= terminal (true q)) (<= (next q) (does r a))");
  assert_unchecked(f, both, why);
  read_game(f, "(role r) (init p) (legal r a) (legal r b) (goal r 0) (<= terminal (does r a))\n"
               "(<= (next p) (true p)) (<= (next q) (does r a))");
  assert_unchecked(f, both, why);
}

/* That c is linked could hold itself up by way of a and b, but nothing begins it. */
static void recursive_rules_have_one_model(void **state) {
  certify_fixture *f = *state;
  read_game(f, "(role r) (init x) (legal r go) (adj a b) (adj b c) (adj c a)\n"
               "(<= (next x) (true y)) (<= (next y) (true x)) (<= (next end) (does r go))\n"
               "(<= (next (mark a)) (true x) (true y)) (<= terminal (true end))\n"
               "(<= (linked ?x) (true (mark ?x))) (<= (linked ?y) (linked ?x) (adj ?x ?y))\n"
               "(<= (goal r 100) (linked c)) (<= (goal r 0) (not (linked c)))");
  assert_accepted(f,
                  "(property winnable r) (k 0) (exactly-one x y)"
                  "(at-least-one (not (mark a)))",
                  "winnable r is refuted");
  assert_rejected(f, "(property winnable r) (k 0) (exactly-one x y)", "do not rule out");
  assert_rejected(f, "(property winnable r) (k 0) (at-least-one (not (mark a)))", "a step may");
}

static void a_role_that_is_not_there_is_rejected(void **state) {
  certify_fixture *f = *state;
  read_builtin(f, "tic-tac-toe");
  assert_rejected(f, "(property winnable robott) (k 0)", "there is no such role: robott");
  assert_rejected(f, "(property winnable robott) (k 2)", "there is no such role: robott");
}

/* ---- time ---- */

/* Sixty steps are more work than there is time for. */
static void a_check_that_has_no_time_says_so(void **state) {
  certify_fixture *f = *state;
  read_builtin(f, "peg-solitaire");
  f->b = budget_new(1, 0);
  const certificate_report r = checked(f, "(property goals) (k 60)");
  assert_int_equal(r.unchecked, 1);
  assert_string_equal(r.sections.items[0].words, "not checked: goals: the time limit was reached");
}

/* Virtual sections that need some seconds each: which are checked within the limit, and when no
   more is tried. */
static double simulate(double limit, const double *needs, uint32_t count, bool *is_done) {
  double now = 0, had[8] = {0};
  uint32_t open = count;
  bool was_tried = true;
  while (open && was_tried) {
    was_tried = false;
    for (uint32_t i = 0, left = open; i < count; i++) {
      if (is_done[i]) continue;
      const double share = section_seconds(limit - now, left--, had[i]);
      if (had[i] > 0 && share <= had[i]) continue;
      was_tried = true;
      is_done[i] = needs[i] <= share;
      now += is_done[i] ? needs[i] : share;
      had[i] = share;
      open -= is_done[i];
    }
  }
  return now;
}

static void time_that_is_not_used_is_handed_on(void **state) {
  (void)state;
  bool one[8] = {false}, two[8] = {false}, both[8] = {false};
  assert_true(simulate(60, (const double[]){45, 1, 1}, 3, one) < 60 && one[0] && one[1] && one[2]);
  assert_true(simulate(60, (const double[]){35, 5, 2, 1}, 4, two) < 60 && two[0]);
  assert_true(simulate(60, (const double[]){50, 50}, 2, both) > 59 && !both[0] && !both[1]);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      a_test(a_changed_measure_is_rejected),
      a_test(measures_are_read_like_a_word),
      a_test(no_way_to_break_a_fact_is_passed_over),
      a_test(a_changed_group_is_rejected),
      a_test(lines_are_played),
      a_test(goals_that_fall_are_seen_in_the_last_step),
      a_test(bounds_on_steps_are_checked),
      a_test(all_states_are_looked_at),
      a_test(roles_may_have_arguments),
      a_test(formulas_are_read_as_they_are_written),
      a_test(what_never_holds_may_be_asked_about),
      a_test(names_with_blanks_are_told_apart),
      a_test(long_numbers_are_goals),
      a_test(what_depends_on_moves_at_rest_is_not_checked),
      a_test(recursive_rules_have_one_model),
      a_test(a_role_that_is_not_there_is_rejected),
      a_test(a_check_that_has_no_time_says_so),
      a_test(time_that_is_not_used_is_handed_on),
  };
  return cmocka_run_group_tests_name("certify/certify", tests, NULL, NULL);
}
