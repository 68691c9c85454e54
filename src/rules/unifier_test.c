#include "rules/rules_fixture.h"
#include "rules/unifier.h"

/* Do the heads of the first two rules have a common instance? */
static bool heads_meet(rules_fixture *f, const char *rules) {
  build_text(f, rules);
  unifier *u = unifier_new(f->p.terms, 10, f->keep);
  const term_id a = f->p.rules.items[0].head;
  const term_id b = f->p.rules.items[1].head;
  const bool answer = terms_meet(u, a, b);
  assert_int_equal(terms_meet(u, a, b), answer); /* a question leaves nothing behind */
  assert_int_equal(terms_meet(u, b, a), answer);
  return answer;
}

static void variables_of_the_two_sides_are_apart(void **state) {
  assert_true(heads_meet(*state, "(<= (p ?x a) q) (<= (p b ?x) q)"));
  assert_true(heads_meet(*state, "(<= (p ?x (f ?x)) q) (<= (p (f ?x) ?y) q)"));
}

static void repeated_variables_must_agree(void **state) {
  assert_false(heads_meet(*state, "(<= (p ?x ?x) q) (p a b)"));
  assert_true(heads_meet(*state, "(<= (p ?x ?x) q) (<= (p ?y ?z) q)"));
  assert_false(heads_meet(*state, "(<= (p ?x ?x) q) (<= (p ?y (f ?y)) q)"));
}

static void names_and_numbers_of_arguments_must_agree(void **state) {
  assert_false(heads_meet(*state, "(p (f a)) (p (g a))"));
  assert_false(heads_meet(*state, "(p (f a)) (p (f a b))"));
  assert_true(heads_meet(*state, "(p (f a)) (p (f a))"));
}

static void huge_questions_are_answered_with_yes(void **state) {
  rules_fixture *f = *state;
  text rules = text_new(f->keep);
  text_add(&rules, "(<= (p");
  for (uint32_t i = 0; i < 60; i++) text_add_format(&rules, " ?x%u", i);
  text_add(&rules, ") q) (<= (p");
  for (uint32_t i = 0; i < 60; i++) text_add_format(&rules, " (f ?x%u ?x%u)", i + 1, i + 1);
  text_add(&rules, ") q)");
  build_text(f, text_string(&rules));
  unifier *u = unifier_new(f->p.terms, 100, f->keep);
  assert_true(terms_meet(u, f->p.rules.items[0].head, f->p.rules.items[1].head));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      rules_test(variables_of_the_two_sides_are_apart),
      rules_test(repeated_variables_must_agree),
      rules_test(names_and_numbers_of_arguments_must_agree),
      rules_test(huge_questions_are_answered_with_yes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
