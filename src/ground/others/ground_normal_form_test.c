#include "ground/others/ground_normal_form.h"
#include "ground/others/methods_fixture.h"

/* The rules in normal form; `base` and `input` say what is given. */
static const char *normal(rules_fixture *f, const char *rules) {
  const ground_program g = ground_of(f, rules);
  return ground_text(f, &g);
}

static void an_atom_without_rules_fails(void **state) {
  assert_string_equal(
      normal(*state, "(base f) (<= terminal (true f) p) (<= (next f) (true f) (not p))"),
      "(next f) <= (true f)");
}

static void an_atom_that_follows_from_nothing_leaves_bodies(void **state) {
  assert_string_equal(normal(*state, "(base f) p (<= q p) (<= terminal (true f) q)"
                                     " (<= (next f) (true f) (not q))"),
                      "terminal <= (true f)");
}

static void an_answer_that_always_holds_keeps_one_rule_without_conditions(void **state) {
  assert_string_equal(normal(*state, "(base f) p (<= terminal (true f)) (<= terminal p)"),
                      "terminal");
}

static void atoms_that_only_support_each_other_fail(void **state) {
  assert_string_equal(normal(*state, "(base f) (<= p q) (<= q p) (<= terminal (true f) (not p))"),
                      "terminal <= (true f)");
}

static void support_that_is_lost_on_the_way_is_seen(void **state) {
  assert_string_equal(normal(*state, "(base f) r (<= p q) (<= q p) (<= p (not r))"
                                     " (<= terminal (true f) (not q))"),
                      "terminal <= (true f)");
}

static void atoms_that_support_each_other_and_the_state_supports_stay(void **state) {
  assert_string_equal(normal(*state, "(base f) (<= p q) (<= q p) (<= q (true f)) (<= terminal p)"),
                      "p <= q\nq <= (true f)\nq <= p\nterminal <= p");
}

static void a_rule_that_contradicts_itself_goes(void **state) {
  assert_string_equal(normal(*state, "(base f) (base g) (<= p (true f) (not (true f)))"
                                     " (<= terminal (true g) (not p))"),
                      "terminal <= (true g)");
}

static void literals_and_rules_are_kept_once(void **state) {
  assert_string_equal(normal(*state, "(base f) (base g) p (<= terminal (true f) (true g) (true f))"
                                     " (<= terminal (true g) (true f) p)"),
                      "terminal <= (true f) & (true g)");
}

static void what_no_answer_depends_on_goes(void **state) {
  assert_string_equal(normal(*state, "(base f) (<= p (true f)) (<= terminal (true f))"),
                      "terminal <= (true f)");
}

static void a_fluent_that_cannot_be_true_fails(void **state) {
  assert_string_equal(normal(*state, "(base f) (<= terminal (true f) (not (true g)))"
                                     " (<= (next f) (true g))"),
                      "terminal <= (true f)");
}

static void answers_about_what_is_no_role_or_move_are_no_answers(void **state) {
  assert_string_equal(
      normal(*state, "(role r) (input r a) (base f) (<= (legal r a) (true f))"
                     " (<= (legal r b) (true f)) (<= (legal x a) (true f))"
                     " (<= (goal x 100) (true f)) (<= (goal r 1) (goal x 100))"),
      "(goal r 1) <= (goal x 100)\n(goal x 100) <= (true f)\n(legal r a) <= (true f)");
}

static void atoms_stratified_only_once_ground_are_evaluated(void **state) {
  assert_string_equal(normal(*state,
                             "(base f) (<= (even 0) (not (even 1))) (<= (even 1) (not (even 2)))"
                             " (even 2) (<= terminal (true f) (even 0))"),
                      "terminal <= (true f)");
}

static void long_chains_take_no_longer_for_each_link(void **state) {
  rules_fixture *f = *state;
  text rules = text_new(f->keep);
  text_add(&rules, "(base f) (<= terminal (true f) (not (p 60000))) (<= (p 0) (p 0))");
  for (uint32_t i = 0; i < 60000; i++) text_add_format(&rules, "(<= (p %u) (p %u))", i + 1, i);
  assert_string_equal(normal(f, text_string(&rules)), "terminal <= (true f)");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      rules_test(an_atom_without_rules_fails),
      rules_test(an_atom_that_follows_from_nothing_leaves_bodies),
      rules_test(an_answer_that_always_holds_keeps_one_rule_without_conditions),
      rules_test(atoms_that_only_support_each_other_fail),
      rules_test(support_that_is_lost_on_the_way_is_seen),
      rules_test(atoms_that_support_each_other_and_the_state_supports_stay),
      rules_test(a_rule_that_contradicts_itself_goes),
      rules_test(literals_and_rules_are_kept_once),
      rules_test(what_no_answer_depends_on_goes),
      rules_test(a_fluent_that_cannot_be_true_fails),
      rules_test(answers_about_what_is_no_role_or_move_are_no_answers),
      rules_test(atoms_stratified_only_once_ground_are_evaluated),
      rules_test(long_chains_take_no_longer_for_each_link),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
