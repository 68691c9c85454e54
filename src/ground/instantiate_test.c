#include "ground/ground_fixture.h"

static const char *instances(rules_fixture *f, const char *words) {
  const ground_program g = instantiated(f, words);
  return ground_text(f, &g);
}

static void static_literals_are_evaluated_away(void **state) {
  rules_fixture *f = *state;
  assert_string_equal(
      instances(f, "(role r) (p a) (p b) (q b) (init (f a)) (init (f b))"
                   "(<= (next (f ?x)) (true (f ?x)) (p ?x) (not (q ?x)) (distinct ?x c))"),
      "(next (f a)) <= (true (f a))");
}

static void the_negation_of_what_can_never_hold_is_gone(void **state) {
  rules_fixture *f = *state;
  assert_string_equal(
      instances(f, "(role r) (init a) (<= (next a) (true a) (not (true b)) (not broken))"),
      "(next a) <= (true a)");
}

static void the_negation_of_what_may_hold_stays(void **state) {
  rules_fixture *f = *state;
  assert_string_equal(instances(f, "(role r) (init a) (init b) (<= (next a) (not (true b)))"),
                      "(next a) <= (not (true b))");
}

static void alternatives_become_rules_of_their_own(void **state) {
  rules_fixture *f = *state;
  assert_string_equal(
      instances(f, "(role r) (init a) (init b) (<= (next a) (or (true a) (true b)))"),
      "(next a) <= (true a)\n(next a) <= (true b)");
}

static void a_body_that_contradicts_itself_is_no_rule(void **state) {
  rules_fixture *f = *state;
  assert_string_equal(
      instances(f, "(role r) (init (f a)) (init (f b))"
                   "(<= (next (f a)) (true (f ?x)) (true (f ?y)) (not (true (f ?y))))"),
      "");
}

static void repeated_literals_and_rules_are_kept_once(void **state) {
  rules_fixture *f = *state;
  assert_string_equal(instances(f, "(role r) (init (f a)) (p x) (p y)"
                                   "(<= (next (f ?x)) (true (f ?x)) (true (f ?y)) (p ?z))"),
                      "(next (f a)) <= (true (f a))");
}

static void what_nothing_needs_is_not_instantiated(void **state) {
  rules_fixture *f = *state;
  assert_string_equal(
      instances(f, "(role r) (init a) (<= (next a) (helper 1)) (<= (helper ?x) (n ?x) (true a))"
                   "(n 1) (n 2) (<= idle (true a))"),
      "(helper 1) <= (true a)\n(next a) <= (helper 1)");
}

static void all_that_can_be_asked_is_instantiated(void **state) {
  rules_fixture *f = *state;
  assert_string_equal(
      instances(f, "(role r) (init a) (<= (legal r x) (true a)) (<= (goal r 100) (true a))"
                   "(<= terminal (true a)) (<= (sees r it) (does r x)) (<= (next a) (does r x))"),
      "(goal r 100) <= (true a)\n"
      "(legal r x) <= (true a)\n"
      "(next a) <= (does r x)\n"
      "(sees r it) <= (does r x)\n"
      "terminal <= (true a)");
}

static void goals_and_percepts_of_what_is_no_role_are_ignored(void **state) {
  rules_fixture *f = *state;
  const ground_program g =
      instantiated(f, "(role r) (init a) (<= (goal x 1) (true a)) (<= (sees x a) (true a))");
  assert_int_equal(g.goals.count, 0);
  assert_int_equal(g.percepts.count, 0);
  assert_int_equal(g.rules.count, 0);
}

static void recursion_is_kept_as_recursion(void **state) {
  rules_fixture *f = *state;
  assert_string_equal(instances(f, "(role r) (e a b) (e b a) (init (on a)) (init (on b))"
                                   "(<= (lit ?x) (true (on ?x))) (<= (lit ?y) (lit ?x) (e ?x ?y))"
                                   "(<= terminal (lit a))"),
                      "(lit a) <= (lit b)\n(lit a) <= (true (on a))\n"
                      "(lit b) <= (lit a)\n(lit b) <= (true (on b))\nterminal <= (lit a)");
}

static void roles_stay_in_the_order_of_the_rulesheet(void **state) {
  rules_fixture *f = *state;
  const ground_program g =
      instantiated(f, "(role zoe) (role (robot 1)) (role adam) (role (robot 0))");
  text out = text_new(f->keep);
  for (uint32_t i = 0; i < g.roles.count; i++) {
    text_add_char(&out, ' ');
    term_print(g.terms, g.roles.items[i].term, NOTATION_KIF, NULL, &out);
  }
  assert_string_equal(text_string(&out), " zoe (robot 1) adam (robot 0)");
}

static void fluents_and_moves_are_sorted_by_text(void **state) {
  rules_fixture *f = *state;
  const ground_program g =
      instantiated(f, "(role b) (role a) (init z) (init (f 2)) (init (f 10)) (init c)"
                      "(legal a y) (legal b y) (legal b x) (legal a (m 1))");
  text out = text_new(f->keep);
  for (uint32_t i = 0; i < g.fluents.count; i++) {
    term_print(g.terms, g.fluents.items[i].term, NOTATION_KIF, NULL, &out);
    text_add_char(&out, ' ');
  }
  for (uint32_t i = 0; i < g.moves.count; i++) {
    text_add_char(&out, ' ');
    term_print(g.terms, g.moves.items[i].term, NOTATION_KIF, NULL, &out);
  }
  assert_string_equal(text_string(&out), "(f 10) (f 2) c z  x y (m 1) y");
  assert_int_equal(g.roles.items[1].first_move, 2);
}

static void a_fluent_knows_whether_it_holds_at_first(void **state) {
  rules_fixture *f = *state;
  const ground_program g = instantiated(f, "(role r) (init a) (<= (next b) (true a))");
  assert_true(fluent_named(&g, "a", f->keep)->initially);
  assert_false(fluent_named(&g, "b", f->keep)->initially);
}

static void init_is_right_where_rules_are_stratified_only_once_ground(void **state) {
  rules_fixture *f = *state;
  const ground_program g = grounded(f,
                                    "(role r) (n 0 1) (n 1 2) (n 2 3) (n 3 4)"
                                    "(<= (odd ?y) (n ?x ?y) (not (odd ?x)))"
                                    "(<= (init (f ?x)) (odd ?x)) (<= (next (f ?x)) (true (f ?x)))",
                                    plain);
  assert_true(fluent_named(&g, "(f 1)", f->keep)->initially);
  assert_true(fluent_named(&g, "(f 3)", f->keep)->initially);
  for (uint32_t i = 0, count = 0; i < g.fluents.count; i++) {
    count += g.fluents.items[i].initially;
    assert_true(count <= 2);
  }
}

static void roles_are_right_where_rules_are_stratified_only_once_ground(void **state) {
  rules_fixture *f = *state;
  const ground_program g = grounded(f,
                                    "(n 0 1) (n 1 2) (n 2 3)"
                                    "(<= (odd ?y) (n ?x ?y) (not (odd ?x)))"
                                    "(<= (role ?x) (odd ?x)) (<= (legal ?r go) (role ?r))",
                                    plain);
  assert_int_equal(g.roles.count, 2);
  assert_int_equal(g.moves.count, 2);
}

static void roles_that_rules_give_come_in_the_order_of_their_text(void **state) {
  rules_fixture *f = *state;
  const ground_program g = grounded(f,
                                    "(role z) (player c) (player a) (player b) (role y)"
                                    "(<= (role ?x) (player ?x)) (<= (legal ?r go) (role ?r))",
                                    plain);
  static const char *const names[] = {"z", "y", "a", "b", "c"};
  assert_int_equal(g.roles.count, 5);
  for (uint32_t i = 0; i < 5; i++) {
    text name = text_new(f->keep);
    term_print(g.terms, g.roles.items[i].term, NOTATION_KIF, NULL, &name);
    assert_string_equal(text_string(&name), names[i]);
  }
}

/* More shapes than a relation may have: `true` takes all in, `init` and `next` are split still. */
static void fluents_of_many_shapes_keep_their_next(void **state) {
  rules_fixture *f = *state;
  text words = text_new(f->keep);
  text_add(&words, "(role r) (init on) (<= (next off) (true on))");
  for (uint32_t i = 0; i < 40; i++)
    text_add_format(&words, "(init (f%u a)) (<= (next (g%u a)) (true on))", i, i);
  const ground_program g = instantiated(f, text_string(&words));
  assert_int_equal(g.fluents.count, 82);
  assert_int_not_equal(fluent_named(&g, "(g7 a)", f->keep)->next, ATOM_NONE);
  assert_true(fluent_named(&g, "(f7 a)", f->keep)->initially);
  assert_int_equal(g.rules.count, 41);
}

static void a_limit_says_how_many_rules_there_were(void **state) {
  rules_fixture *f = *state;
  text words = text_new(f->keep);
  text_add(&words, "(role r)");
  for (uint32_t i = 0; i < 60; i++) text_add_format(&words, "(init (f c%u))", i);
  text_add(&words, "(<= (next (g ?x ?y)) (true (f ?x)) (true (f ?y)) (true (f ?z)))");
  build_sound(f, text_string(&words));
  bases b;
  assert_true(bases_compute(&b, &f->p, BASES_ONESTEP, f->keep, NULL, &f->d));
  budget limits = budget_new(1e-9, 0);
  ground_program g;
  assert_false(instantiate(&g, &b, f->keep, &limits, &f->d));
  bases_free(&b);
  assert_non_null(strstr(fault(f, DIAG_E801, 0)->message, "ground rules were made"));
}

/* Nothing in the rules needs `watched`. */
static void atoms_of_the_mark_are_instantiated(void **state) {
  rules_fixture *f = *state;
  ground_program g;
  ground_stats stats;
  build_sound(f, "(role r) (legal r x) (legal r y) (init off) (<= (next on) (does r x)) (n 1) (n 2)"
                 "(<= (watched (p ?v)) (n ?v) (true on)) (<= (watched z) (true lost))");
  assert_true(ground_rules(&g, &f->p, optimised, f->keep, NULL, &f->d, &stats));
  assert_int_equal(g.marks.count, 0);
  f->p.mark = symbol_intern(f->p.symbols, slice_of("watched"));
  assert_true(ground_rules(&g, &f->p, optimised, f->keep, NULL, &f->d, &stats));
  assert_int_equal(g.marks.count, 2); /* z can never hold */
  for (uint32_t i = 0; i < 2; i++) {
    const char *const texts[] = {"(p 1)", "(p 2)"};
    text name = text_new(f->keep);
    term_print(g.terms, g.marks.items[i].term, NOTATION_KIF, NULL, &name);
    assert_string_equal(text_string(&name), texts[i]);
    assert_int_equal(g.rules_of[g.marks.items[i].atom + 1] - g.rules_of[g.marks.items[i].atom], 1);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      rules_test(static_literals_are_evaluated_away),
      rules_test(the_negation_of_what_can_never_hold_is_gone),
      rules_test(the_negation_of_what_may_hold_stays),
      rules_test(alternatives_become_rules_of_their_own),
      rules_test(a_body_that_contradicts_itself_is_no_rule),
      rules_test(repeated_literals_and_rules_are_kept_once),
      rules_test(what_nothing_needs_is_not_instantiated),
      rules_test(all_that_can_be_asked_is_instantiated),
      rules_test(goals_and_percepts_of_what_is_no_role_are_ignored),
      rules_test(recursion_is_kept_as_recursion),
      rules_test(roles_stay_in_the_order_of_the_rulesheet),
      rules_test(fluents_and_moves_are_sorted_by_text),
      rules_test(a_fluent_knows_whether_it_holds_at_first),
      rules_test(init_is_right_where_rules_are_stratified_only_once_ground),
      rules_test(roles_are_right_where_rules_are_stratified_only_once_ground),
      rules_test(roles_that_rules_give_come_in_the_order_of_their_text),
      rules_test(fluents_of_many_shapes_keep_their_next),
      rules_test(a_limit_says_how_many_rules_there_were),
      rules_test(atoms_of_the_mark_are_instantiated),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
