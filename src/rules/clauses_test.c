#include "rules/rules_fixture.h"

static void assert_clauses(rules_fixture *f, const char *rules, const char *expected) {
  assert_true(build_text(f, rules));
  assert_string_equal(clauses_text(f), expected);
}

static void or_becomes_several_clauses(void **state) {
  assert_clauses(*state, "(<= p a (or b (and c d)) e)", "(<= p a b e)\n(<= p a c d e)");
}

static void or_with_one_operand_is_that_operand(void **state) {
  assert_clauses(*state, "(<= p (or (or a)))", "(<= p a)");
}

static void ors_multiply(void **state) {
  assert_clauses(*state, "(<= p (or a b) (or c d))",
                 "(<= p a c)\n(<= p a d)\n(<= p b c)\n(<= p b d)");
}

static void not_moves_inwards(void **state) {
  assert_clauses(*state, "(<= p (not (or a (not b))))", "(<= p (not a) b)");
  assert_clauses(*state, "(<= p (not (and a b)))", "(<= p (not a))\n(<= p (not b))");
  assert_clauses(*state, "(<= p (not (not a)))", "(<= p a)");
}

static void literals_stand_once(void **state) {
  assert_clauses(*state, "(<= p a b a (not a) (not a))", "(<= p a b (not a))");
}

static void literals_stand_once_in_long_bodies_too(void **state) {
  rules_fixture *f = *state;
  text rule_text = text_new(f->keep);
  text_add(&rule_text, "(<= p");
  for (uint32_t i = 0; i < 1000; i++) text_add_format(&rule_text, " (q %u)", i % 100);
  text_add(&rule_text, ")");
  assert_true(build_text(f, text_string(&rule_text)));
  assert_int_equal(f->p.clauses.items[0].body_count, 100);
}

static void equality_is_solved_away(void **state) {
  assert_clauses(*state, "(<= (p ?x) (q ?y) (not (distinct ?x (f ?y))))", "(<= (p (f ?y)) (q ?y))");
}

static void equality_without_solution_leaves_no_clause(void **state) {
  assert_clauses(*state, "(<= p (q ?x) (not (distinct a b)))", "");
  assert_clauses(*state, "(<= p (q ?x) (not (distinct ?x (f ?x))))", "");
}

static void distinct_of_equal_terms_leaves_no_clause(void **state) {
  assert_clauses(*state, "(<= p (q ?x) (distinct ?x ?x))", "");
}

static void distinct_that_always_holds_is_dropped(void **state) {
  assert_clauses(*state, "(<= p (q ?x) (distinct a b) (distinct (f ?x) (g ?x)))", "(<= p (q ?x))");
  assert_clauses(*state, "(<= p (q ?x) (distinct ?x b))", "(<= p (q ?x) (distinct ?x b))");
}

static void too_many_alternatives_are_refused(void **state) {
  rules_fixture *f = *state;
  text wide = text_new(f->keep);
  text_add(&wide, "(<= p");
  for (uint32_t i = 0; i < 40; i++) text_add_format(&wide, " (or a%u b%u)", i, i);
  text_add(&wide, ")");
  assert_false(build_text(f, text_string(&wide)));
  assert_string_equal(fault(f, DIAG_E112, 0)->message,
                      "the `or`s of this rule multiply to more than 4096 alternatives");
}

static void too_many_conditions_of_all_rules_are_refused(void **state) {
  rules_fixture *f = *state;
  text rules = text_new(f->keep);
  for (uint32_t i = 0; i < 40; i++) {
    text_add_format(&rules, "(<= p%u", i);
    for (uint32_t k = 0; k < 12; k++) text_add_format(&rules, " (or a%u b%u)", k, k);
    text_add(&rules, ")\n"); /* 4096 alternatives of 12 conditions; counted with the `or`s: 36 */
  }
  assert_false(build_text(f, text_string(&rules)));
  assert_string_equal(
      fault(f, DIAG_E112, 0)->message,
      "the `or`s of this rule and those before multiply to more than 1048576 conditions");
  assert_in_range(f->p.clauses.count, 4096 * 7, 4096 * 20);
}

/* 70,000 rules of 16 alternatives, more than a million of conditions. */
static void rules_of_few_alternatives_may_be_many(void **state) {
  rules_fixture *f = *state;
  text rules = text_new(f->keep);
  for (uint32_t i = 0; i < 70 * 1000; i++)
    text_add_format(&rules, "(<= p%u (or a b) (or c d) (or e f) (or g h))\n", i);
  assert_true(build_text(f, text_string(&rules)));
  assert_int_equal(f->p.clauses.count, 70 * 1000 * 16);
}

/* Each variable equals a pair of the next one. */
static void equalities_of_exponential_size_are_refused(void **state) {
  rules_fixture *f = *state;
  text pairs = text_new(f->keep);
  text_add(&pairs, "(<= (p ?x0) (q ?x0)");
  for (uint32_t i = 0; i < 60; i++)
    text_add_format(&pairs, " (not (distinct ?x%u (f ?x%u ?x%u)))", i, i + 1, i + 1);
  text_add(&pairs, ")");
  assert_false(build_text(f, text_string(&pairs)));
  assert_string_equal(fault(f, DIAG_E112, 0)->message,
                      "the equalities of this rule stand for terms that are too large");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      rules_test(or_becomes_several_clauses),
      rules_test(or_with_one_operand_is_that_operand),
      rules_test(ors_multiply),
      rules_test(not_moves_inwards),
      rules_test(literals_stand_once),
      rules_test(literals_stand_once_in_long_bodies_too),
      rules_test(equality_is_solved_away),
      rules_test(equality_without_solution_leaves_no_clause),
      rules_test(distinct_of_equal_terms_leaves_no_clause),
      rules_test(distinct_that_always_holds_is_dropped),
      rules_test(too_many_alternatives_are_refused),
      rules_test(too_many_conditions_of_all_rules_are_refused),
      rules_test(rules_of_few_alternatives_may_be_many),
      rules_test(equalities_of_exponential_size_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
