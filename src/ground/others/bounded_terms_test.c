#include "ground/ground_fixture.h"
#include "ground/others/bounded_terms.h"

static bool is_bounded(rules_fixture *f, const char *rules) {
  build_sound(f, rules);
  return terms_are_bounded(&f->p, BASES_ONESTEP, NULL, &f->d);
}

static void a_number_that_grows_for_ever_is_told_with_its_rule(void **state) {
  rules_fixture *f = *state;
  assert_false(is_bounded(f, "(role r) (init (at z)) (legal r go)\n"
                             "(<= (next (at (s ?n))) (true (at ?n)))"));
  assert_fault(f, DIAG_E804, 2, 1, "(<= (next (at (s ?n))) (true (at ?n)))",
               "this rule makes ever larger terms");
}

static void a_number_with_a_bound_is_finite(void **state) {
  assert_true(is_bounded(*state, "(role r) (init (at z)) (legal r go) (below z) (below (s z))"
                                 "(<= (next (at (s ?n))) (true (at ?n)) (below ?n))"));
}

static void other_faults_are_left_to_others(void **state) {
  rules_fixture *f = *state;
  assert_true(is_bounded(f, "(role r) (init (at z)) (legal r go)"
                            "(<= (next (at ?n)) (true (at ?m)))"));
  assert_int_equal(f->d.errors, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      rules_test(a_number_that_grows_for_ever_is_told_with_its_rule),
      rules_test(a_number_with_a_bound_is_finite),
      rules_test(other_faults_are_left_to_others),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
