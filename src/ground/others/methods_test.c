#include "ground/others/methods_fixture.h"
#include "ground/random_game_fixture.h"

/* Rules that every game here begins with: one role, one fluent, one move. */
#define BEGIN "(role r) (init f) (<= (legal r go) (true f)) (<= (next f) (does r go)) "
#define BEGUN "(legal r go) <= (true f)\n(next f) <= (does r go)"

static void static_literals_are_evaluated_and_the_others_kept(void **state) {
  need_programs();
  assert_string_equal(agreed_text(*state, "(role r) (init (at 1)) (succ 1 2) (succ 2 3)"
                                          "(<= (legal r (go ?y)) (true (at ?x)) (succ ?x ?y))"
                                          "(<= (legal r stay) (not (true (at 1))))"
                                          "(<= (next (at ?y)) (does r (go ?y)))"
                                          "(<= terminal (true (at ?x)) (not (moves ?x)))"
                                          "(<= (moves ?x) (succ ?x ?y))"
                                          "(<= (goal r 0) (not (true (at 3))))"),
                      "(goal r 0) <= (true (at 3)) fails\n"
                      "(legal r (go 2)) <= (true (at 1))\n"
                      "(legal r (go 3)) <= (true (at 2))\n"
                      "(legal r stay) <= (true (at 1)) fails\n"
                      "(next (at 2)) <= (does r (go 2))\n"
                      "(next (at 3)) <= (does r (go 3))\n"
                      "terminal <= (true (at 3))");
}

static void everything_is_in_its_place(void **state) {
  need_programs();
  rules_fixture *f = *state;
  const ground_program g =
      agreed(f,
             "(role z) (role a) (init (n 1)) (<= (legal ?r (m ?x)) (role ?r) (true (n ?x)))"
             "(<= (next (n 2)) (does z (m 1))) (<= (goal ?r 50) (role ?r) (true (n 2)))"
             "(<= (sees a (saw ?m)) (does z ?m)) (<= terminal (true (n 2)))",
             BASES_ONESTEP);
  assert_int_equal(g.roles.count, 2);
  assert_string_equal(literal_text(&g, literal_of_atom(g.moves.items[0].legal, false), f->keep),
                      "(legal z (m 1))");
  assert_int_equal(g.roles.items[1].first_move, 2);
  assert_int_equal(g.fluents.count, 2);
  assert_true(g.fluents.items[0].initially);
  assert_false(g.fluents.items[1].initially);
  assert_int_equal(g.fluents.items[0].next, ATOM_NONE);
  assert_string_equal(literal_text(&g, literal_of_atom(g.fluents.items[1].next, false), f->keep),
                      "(next (n 2))");
  assert_int_equal(g.goals.count, 2);
  assert_int_equal(g.percepts.count, 2);
  assert_int_equal(g.percepts.items[0].role, 1);
  assert_string_equal(literal_text(&g, literal_of_atom(g.terminal, false), f->keep), "terminal");
}

static void any_name_survives(void **state) {
  need_programs();
  assert_string_equal(
      agreed_text(*state,
                  "(role ++) (init (V0 -1 f12 r2 'a ~b % not_)) (X++ CAPITAL :-)"
                  "(<= (legal ++ (|x| ?n)) (true (V0 ?n f12 r2 'a ~b % not_)) (X++ ?y ?z))"
                  "(<= (next (V0 ?y f12 r2 'a ~b % ?n++)) (does ++ (|x| ?y)) (X++ ?n++ ?z))"),
      "(legal ++ (|x| -1)) <= (true (v0 -1 f12 r2 'a ~b % not_))\n"
      "(next (v0 -1 f12 r2 'a ~b % capital)) <= (does ++ (|x| -1))");
}

static void names_may_be_very_long(void **state) {
  need_programs();
  rules_fixture *f = *state;
  char name[10001];
  memset(name, 'n', sizeof name - 1);
  name[sizeof name - 1] = '\0';
  text rules = text_new(f->keep);
  text_add_format(&rules, "(role r) (init (%s 1)) (<= terminal (true (%s ?x)))", name, name);
  text expected = text_new(f->keep);
  text_add_format(&expected, "terminal <= (true (%s 1))", name);
  assert_string_equal(agreed_text(f, text_string(&rules)), text_string(&expected));
}

static void terms_may_be_deep(void **state) {
  need_programs();
  assert_string_equal(agreed_text(*state,
                                  "(role r) (init (p (q (s a) b) (s (s c))))"
                                  "(<= terminal (true (p (q ?x b) (s ?y))) (distinct ?x ?y))"
                                  "(<= (next (p ?y ?x)) (true (p ?x ?y)))"),
                      "(next (p (q (s a) b) (s (s c)))) <= (true (p (s (s c)) (q (s a) b)))\n"
                      "(next (p (s (s c)) (q (s a) b))) <= (true (p (q (s a) b) (s (s c))))\n"
                      "terminal <= (true (p (q (s a) b) (s (s c))))");
}

static void a_name_may_be_a_constant_a_function_and_a_relation(void **state) {
  need_programs();
  assert_string_equal(
      agreed_text(*state, "(role r) (init (a a)) (a a) (<= terminal (true (a ?x)) (a ?x))"),
      "terminal <= (true (a a))");
}

static void a_keyword_with_another_number_of_arguments_is_an_ordinary_relation(void **state) {
  need_programs();
  assert_string_equal(agreed_text(*state, BEGIN
                                  "(next a b) (base a b c) (<= (goal ?x) (next ?x ?y) (true f))"
                                  "(<= terminal (goal a) (base a b c))"),
                      "(goal a) <= (true f)\n" BEGUN "\nterminal <= (goal a)");
}

static void goals_stratified_only_once_ground_are_kept(void **state) {
  need_programs();
  assert_string_equal(agreed_text(*state, BEGIN "(<= (goal ?r 0) (role ?r) (not (goal ?r 100)))"
                                                "(<= (goal r 100) (true f))"),
                      "(goal r 0) <= (goal r 100) fails\n(goal r 100) <= (true f)\n" BEGUN);
}

static void static_rules_stratified_only_once_ground_are_evaluated(void **state) {
  need_programs();
  assert_string_equal(
      agreed_text(*state,
                  BEGIN "(succ 0 1) (succ 1 2) (<= (even ?x) (succ ?x ?y) (not (even ?y)))"
                        "(<= terminal (true f) (even 1)) (<= (goal r 0) (true f) (even 0))"),
      BEGUN "\nterminal <= (true f)");
}

static void recursion_through_the_state_is_kept(void **state) {
  need_programs();
  assert_string_equal(agreed_text(*state, "(role r) (init (edge a b)) (init (edge b a))"
                                          "(<= (way ?x ?y) (true (edge ?x ?y)))"
                                          "(<= (way ?x ?z) (way ?x ?y) (true (edge ?y ?z)))"
                                          "(<= terminal (way a a))"),
                      "(way a a) <= (true (edge b a)) & (way a b)\n"
                      "(way a b) <= (true (edge a b))\n"
                      "(way a b) <= (true (edge a b)) & (way a a)\n"
                      "terminal <= (way a a)");
}

static void relations_that_call_each_other_are_kept(void **state) {
  need_programs();
  assert_string_equal(
      agreed_text(*state, BEGIN "(succ 0 1) (succ 1 2) (succ 2 0)"
                                "(<= (p 0) (true f)) (<= (p ?y) (q ?x) (succ ?x ?y))"
                                "(<= (q ?y) (p ?x) (succ ?x ?y)) (<= terminal (p 1))"),
      BEGUN "\n(p 0) <= (q 2)\n(p 0) <= (true f)\n(p 1) <= (q 0)\n(p 2) <= (q 1)\n(q 0) <= (p 2)\n"
            "(q 1) <= (p 0)\n(q 2) <= (p 1)\nterminal <= (p 1)");
}

static void answers_that_no_state_changes_are_answers(void **state) {
  need_programs();
  assert_string_equal(
      agreed_text(*state,
                  "(role r) (init f) (legal r go) (<= (next f) (big b)) (big b) (goal r 100)"),
      "(goal r 100)\n(legal r go)\n(next f)");
}

static void an_atom_that_holds_later_than_it_is_asked_is_evaluated(void **state) {
  need_programs();
  assert_string_equal(agreed_text(*state, BEGIN
                                  "(<= (p ?x) (q ?x)) (<= (q ?x) (p ?x)) (<= (q a) (true f)) (p a)"
                                  "(<= terminal (q a) (true f)) (<= (goal r 0) (not (q a)))"),
                      BEGUN "\nterminal <= (true f)");
}

static void roles_may_come_from_rules(void **state) {
  need_programs();
  rules_fixture *f = *state;
  const ground_program g =
      agreed(f,
             "(player a) (player b) (role z) (<= (role ?p) (player ?p)) (init f)"
             "(<= (legal ?r go) (role ?r) (true f))",
             BASES_ONESTEP);
  assert_int_equal(g.roles.count, 3);
  assert_int_equal(g.moves.count, 3);
  assert_string_equal(
      ground_text(f, &g),
      "(legal a go) <= (true f)\n(legal b go) <= (true f)\n(legal z go) <= (true f)");
}

static void what_is_legal_for_no_role_is_no_move(void **state) {
  need_programs();
  assert_string_equal(
      agreed_text(*state, BEGIN "(<= (legal x go) (true f)) (<= (next (g ?r)) (does ?r go))"
                                "(<= (goal x 100) (true f))"),
      "(legal r go) <= (true f)\n(next (g r)) <= (does r go)\n(next f) <= (does r go)");
}

static void relations_that_are_never_defined_fail(void **state) {
  need_programs();
  assert_string_equal(
      agreed_text(*state,
                  BEGIN "(<= terminal (true f) (nothing ?x)) (<= (goal r 0) (true f) (not nil))"),
      "(goal r 0) <= (true f)\n" BEGUN);
}

static void tests_may_stand_before_what_binds_their_variables(void **state) {
  need_programs();
  assert_string_equal(
      agreed_text(*state,
                  BEGIN "(d a) (d b) (e a)"
                        "(<= (p ?x) (not (e ?x)) (distinct ?x c) (not (true f)) (d ?x) (true ?y))"
                        "(<= terminal (p b)) (<= (goal r 0) (p a))"),
      BEGUN);
}

static void a_rule_may_ask_for_any_fluent_and_any_move(void **state) {
  need_programs();
  assert_string_equal(agreed_text(*state,
                                  "(role r) (init (a 1)) (init b) (<= (legal r ?f) (true ?f))"
                                  "(<= (next ?m) (does r ?m) (distinct ?m b))"
                                  "(<= terminal (true ?f) (true (a ?x)) (distinct ?f (a ?x)))"),
                      "(legal r (a 1)) <= (true (a 1))\n(legal r b) <= (true b)\n"
                      "(next (a 1)) <= (does r (a 1))\nterminal <= (true (a 1)) & (true b)");
}

static void a_variable_that_stands_twice_in_the_last_literal_has_one_value(void **state) {
  need_programs();
  assert_string_equal(
      agreed_text(*state,
                  BEGIN "(e 1 2) (e 3 1) (d 1) (d 2) (<= terminal (true f) (d ?x) (e ?y ?y))"
                        "(<= (goal r 0) (d ?x) (e ?y ?y)) (<= (p ?x ?y) (true f) (e ?x ?y))"
                        "(<= (goal r 1) (d ?x) (p ?y ?y))"),
      BEGUN);
}

static void no_term_is_a_part_of_itself(void **state) {
  need_programs();
  assert_string_equal(agreed_text(*state, "(role r) (init (q a a)) (init (q b (g b)))"
                                          "(<= (next (q ?x (g ?x))) (true (q ?x ?x)))"
                                          "(<= (next (q ?x ?y)) (true (q ?x ?y)))"
                                          "(<= terminal (true (q ?x ?x)) (true (q ?x (g ?x))))"),
                      "(next (q a (g a))) <= (true (q a (g a)))\n"
                      "(next (q a (g a))) <= (true (q a a))\n"
                      "(next (q a a)) <= (true (q a a))\n"
                      "(next (q b (g b))) <= (true (q b (g b)))\n"
                      "terminal <= (true (q a (g a))) & (true (q a a))");
}

static const char counter[] =
    "(role r) (init (step 1)) (init (on a)) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5)"
    "(<= (next (step ?y)) (true (step ?x)) (succ ?x ?y))"
    "(<= (next (on ?x)) (true (on ?x)) (not (does r (off ?x))))"
    "(<= (next (was ?x)) (does r (off ?x)))"
    "(<= (legal r (off ?x)) (true (on ?x)))"
    "(<= (legal r (again ?x)) (true (was ?x)) (not (true (step 1))))"
    "(<= (next (on ?x)) (does r (again ?x)))"
    "(<= terminal (true (step 5)))";

static void generations_give_what_one_step_gives(void **state) {
  need_programs();
  rules_fixture *f = *state;
  const ground_program a = agreed(f, counter, BASES_ITERATIVE);
  const char *iterative = ground_text(f, &a);
  assert_string_equal(iterative, agreed_text(f, counter));
  assert_string_equal(iterative, text_with_prolog(f, counter, BASES_ITERATIVE));
}

static void a_match_without_moves_may_need_relations_stratified_only_once_ground(void **state) {
  need_programs();
  rules_fixture *f = *state;
  const char *rules = "(role r) (init (s 1)) (succ 1 2) (succ 2 3) (succ 3 4)"
                      "(<= (odd ?y) (succ ?x ?y) (not (odd ?x)) (true (s ?z)))"
                      "(<= (next (s ?y)) (true (s ?x)) (succ ?x ?y) (not (odd ?x)))"
                      "(<= (next (s ?y)) (true (s ?x)) (succ ?x ?y) (odd ?x))";
  const ground_program a = agreed(f, rules, BASES_ITERATIVE);
  assert_int_equal(a.fluents.count, 4);
}

static void declared_fluents_and_moves_are_taken_as_they_are(void **state) {
  need_programs();
  rules_fixture *f = *state;
  const ground_program g =
      agreed(f,
             "(role r) (init (at 1)) (place 1) (place 2) (<= (base (at ?x)) (place ?x))"
             "(<= (input ?r (to ?x)) (role ?r) (place ?x)) (input x (to 1))"
             "(<= (legal r (to ?x)) (true (at ?y)) (place ?x) (distinct ?x ?y))"
             "(<= (next (at ?x)) (does r (to ?x)))",
             BASES_DECLARED);
  assert_int_equal(g.fluents.count, 2);
  assert_int_equal(g.moves.count, 2);
  assert_string_equal(ground_text(f, &g),
                      "(legal r (to 1)) <= (true (at 2))\n(legal r (to 2)) <= (true (at 1))\n"
                      "(next (at 1)) <= (does r (to 1))\n(next (at 2)) <= (does r (to 2))");
}

static void a_rule_that_cannot_be_evaluated_is_reported(void **state) {
  need_programs();
  rules_fixture *f = *state;
  assert_null(text_with_gringo(f, "(role r) (<= (next ?x) (true ?y))"));
  assert_place(f, fault(f, DIAG_E401, 0)->where, 1, 14, "(next ?x)");
  assert_null(text_with_prolog(f, "(role r) (<= terminal (not (true ?x)))", BASES_ONESTEP));
  assert_int_equal(count_of(f, DIAG_E402), 1);
  assert_null(text_with_prolog(f, "(role r) (<= terminal (distinct ?x a))", BASES_ONESTEP));
  assert_int_equal(count_of(f, DIAG_E403), 1);
}

static void terms_without_end_stop_at_the_limit(void **state) {
  need_programs();
  rules_fixture *f = *state;
  ground_program g;
  assert_true(build_text(f, "(role r) (init (n z)) (<= (next (n (s ?x))) (true (n ?x)))"));
  budget limits = budget_new(0.5, 0);
  assert_false(ground_with_gringo(&g, &f->p, BASES_ONESTEP, f->keep, &limits, &f->d));
  assert_int_equal(count_of(f, DIAG_E801), 1);
  limits = budget_new(0.5, 0);
  assert_false(ground_with_prolog(&g, &f->p, BASES_ONESTEP, f->keep, &limits, &f->d));
  assert_int_equal(count_of(f, DIAG_E801), 2);
}

static void random_games_are_agreed(void **state) {
  need_programs();
  enum { GAMES = 16 };
  for (uint64_t seed = 0; seed < GAMES; seed++) {
    rules_fixture *f = *state;
    rng r = rng_new(seed, 3);
    const char *rules = random_game_text(&r, f->keep);
    agreed(f, rules, seed % 2 ? BASES_ITERATIVE : BASES_ONESTEP);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      rules_test(static_literals_are_evaluated_and_the_others_kept),
      rules_test(everything_is_in_its_place),
      rules_test(any_name_survives),
      rules_test(names_may_be_very_long),
      rules_test(terms_may_be_deep),
      rules_test(a_name_may_be_a_constant_a_function_and_a_relation),
      rules_test(a_keyword_with_another_number_of_arguments_is_an_ordinary_relation),
      rules_test(goals_stratified_only_once_ground_are_kept),
      rules_test(static_rules_stratified_only_once_ground_are_evaluated),
      rules_test(recursion_through_the_state_is_kept),
      rules_test(relations_that_call_each_other_are_kept),
      rules_test(answers_that_no_state_changes_are_answers),
      rules_test(an_atom_that_holds_later_than_it_is_asked_is_evaluated),
      rules_test(roles_may_come_from_rules),
      rules_test(what_is_legal_for_no_role_is_no_move),
      rules_test(relations_that_are_never_defined_fail),
      rules_test(tests_may_stand_before_what_binds_their_variables),
      rules_test(a_rule_may_ask_for_any_fluent_and_any_move),
      rules_test(a_variable_that_stands_twice_in_the_last_literal_has_one_value),
      rules_test(no_term_is_a_part_of_itself),
      rules_test(generations_give_what_one_step_gives),
      rules_test(a_match_without_moves_may_need_relations_stratified_only_once_ground),
      rules_test(declared_fluents_and_moves_are_taken_as_they_are),
      rules_test(a_rule_that_cannot_be_evaluated_is_reported),
      rules_test(terms_without_end_stop_at_the_limit),
      rules_test(random_games_are_agreed),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
