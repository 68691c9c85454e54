#include "rules/rules_fixture.h"
#include "rules/term_growth.h"

static term_growth ranked(rules_fixture *f, const char *rules, bool across_states) {
  build_text(f, rules);
  return term_growth_find(&f->p, across_states, f->keep);
}

static void growth_without_recursion_is_finite(void **state) {
  assert_true(
      ranked(*state, "(p a)\n(<= (q (f ?x)) (p ?x))\n(<= (r (f ?x)) (q ?x))", false).finite);
}

static void growth_in_a_cycle_is_endless(void **state) {
  rules_fixture *f = *state;
  const term_growth r = ranked(f, "(p a)\n(<= (q (f ?x)) (p ?x))\n(<= (p ?x) (q ?x))", false);
  assert_false(r.finite);
  assert_int_equal(r.clause, 1);
  assert_int_equal(r.argument, 0);
  assert_true(r.is_endless[relation_named(f, "p", 1)]);
}

static void one_bounded_place_is_enough_for_a_variable(void **state) {
  assert_true(ranked(*state, "(d a)\n(p a)\n(<= (p (f ?x)) (p ?x) (d ?x))", false).finite);
}

static void what_is_taken_off_may_be_put_on_again(void **state) {
  assert_true(
      ranked(*state, "(p (f a))\n(<= (q ?x) (p (f ?x)))\n(<= (p (f ?x)) (q ?x))", false).finite);
  assert_false(
      ranked(*state, "(p (f a))\n(<= (q ?x) (p (f ?x)))\n(<= (p (f (f ?x))) (q ?x))", false)
          .finite);
}

static void the_deepest_place_of_a_variable_counts(void **state) {
  const char *taken_off = "(p (pair a (f a)))\n(<= (q ?x) (p (pair ?x (f ?x))))\n";
  rules_fixture *f = *state;
  text same = text_new(f->keep), deeper = text_new(f->keep);
  text_add_format(&same, "%s(<= (p (pair ?x (f ?x))) (q ?x))", taken_off);
  text_add_format(&deeper, "%s(<= (p (pair ?x (f (f ?x)))) (q ?x))", taken_off);
  assert_true(ranked(f, text_string(&same), false).finite);
  assert_false(ranked(f, text_string(&deeper), false).finite);
}

static void relations_apart_from_the_cycle_keep_their_ranks(void **state) {
  rules_fixture *f = *state;
  const term_growth r =
      ranked(f, "(p a)\n(<= (p (f ?x)) (p ?x))\n(<= (q ?x) (d ?x))\n(<= (s ?x) (p ?x))", false);
  assert_false(r.is_endless[relation_named(f, "q", 1)]);
  assert_true(r.is_endless[relation_named(f, "s", 1)]);
}

static void states_are_linked_only_when_asked_for(void **state) {
  const char *counter = "(init (n z))\n(<= (next (n (s ?x))) (true (n ?x)))";
  assert_true(ranked(*state, counter, false).finite);
  assert_false(ranked(*state, counter, true).finite);
}

static void a_long_chain_is_followed_to_its_end(void **state) {
  rules_fixture *f = *state;
  text rules = text_new(f->keep);
  for (uint32_t i = 3000; i > 0; i--)
    text_add_format(&rules, "(<= (r%u (f ?x)) (r%u ?x))\n", i, i - 1);
  assert_true(ranked(f, text_string(&rules), false).finite);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      rules_test(growth_without_recursion_is_finite),
      rules_test(growth_in_a_cycle_is_endless),
      rules_test(one_bounded_place_is_enough_for_a_variable),
      rules_test(what_is_taken_off_may_be_put_on_again),
      rules_test(the_deepest_place_of_a_variable_counts),
      rules_test(relations_apart_from_the_cycle_keep_their_ranks),
      rules_test(states_are_linked_only_when_asked_for),
      rules_test(a_long_chain_is_followed_to_its_end),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
