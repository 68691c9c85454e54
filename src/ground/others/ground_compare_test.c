#include "ground/others/methods_fixture.h"

/* Compares what stands before and behind the fact `second` in one rulesheet, as if two methods had
   given it. */
static bool agree(rules_fixture *f, const char *rules) {
  assert_true(build_text(f, rules));
  clause_id middle = 0;
  while (atom_relation(&f->p, f->p.clauses.items[middle].head) != relation_named(f, "second", 0))
    middle++;
  const ground_program left = ground_of_clauses(f, 0, middle);
  const ground_program right = ground_of_clauses(f, middle + 1, f->p.clauses.count);
  return ground_compare(&f->p, (ground_side){"left", &left}, (ground_side){"right", &right}, &f->d);
}

static void assert_difference(rules_fixture *f, const char *rules, const char *message,
                              const char *hint) {
  assert_false(agree(f, rules));
  assert_int_equal(count_of(f, DIAG_E809), 1);
  assert_string_equal(fault(f, DIAG_E809, 0)->message, message);
  assert_string_equal(fault(f, DIAG_E809, 0)->hint, hint);
}

static void order_does_not_matter(void **state) {
  assert_true(agree(*state,
                    "(base f) (base g) (<= p (true f) (true g)) (<= p (true g)) (<= terminal p)"
                    " second"
                    " (<= terminal p) (<= p (true g)) (<= p (true g) (true f)) (base g) (base f)"));
}

static void what_a_method_has_evaluated_already_does_not_matter(void **state) {
  assert_true(agree(*state, "(base f) (<= terminal (true f)) second"
                            " (base f) q (<= terminal (true f) q (not r)) (<= terminal r)"));
}

static void names_a_rule_that_one_side_lacks(void **state) {
  assert_difference(*state,
                    "(base f) (base g) (<= terminal (true f)) (<= terminal (true g))"
                    " second (base f) (base g) (<= terminal (true f))",
                    "left and right differ in the rules of terminal",
                    "left has (<= terminal (true g)); right has no more rules of it");
}

static void names_a_head_that_one_side_lacks(void **state) {
  assert_difference(*state,
                    "(base f) (<= terminal (true f))"
                    " second (base f) (<= terminal (true f)) (<= (next f) (true f))",
                    "left and right differ in the rules of (next f)",
                    "left has no more rules of it; right has (<= (next f) (true f))");
}

static void shows_both_rules_where_a_sign_differs(void **state) {
  assert_difference(*state,
                    "(base f) (<= terminal (true f)) second (base f) (<= terminal (not (true f)))",
                    "left and right differ in the rules of terminal",
                    "left has (<= terminal (true f)); right has (<= terminal (not (true f)))");
}

static void names_a_fluent_that_one_side_lacks(void **state) {
  assert_difference(*state, "(base f) (base g) second (base g)",
                    "left and right differ in the fluents", "left has f; right has g");
}

static void names_an_initial_fluent_that_one_side_lacks(void **state) {
  assert_difference(*state, "(base f) (init f) second (base f)",
                    "left and right differ in the initial fluents",
                    "left has f; right has nothing more");
}

static void names_a_move_and_its_role(void **state) {
  assert_difference(
      *state, "(role r) (input r (go 1)) second (role r) (input r (go 1)) (input r (go 2))",
      "left and right differ in the moves of r", "left has nothing more; right has (go 2)");
}

static void roles_have_an_order(void **state) {
  assert_difference(*state, "(role r) (role s) second (role s)",
                    "left and right differ in the roles", "left has r; right has s");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      rules_test(order_does_not_matter),
      rules_test(what_a_method_has_evaluated_already_does_not_matter),
      rules_test(names_a_rule_that_one_side_lacks),
      rules_test(names_a_head_that_one_side_lacks),
      rules_test(shows_both_rules_where_a_sign_differs),
      rules_test(names_a_fluent_that_one_side_lacks),
      rules_test(names_an_initial_fluent_that_one_side_lacks),
      rules_test(names_a_move_and_its_role),
      rules_test(roles_have_an_order),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
