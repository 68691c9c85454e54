/* What a rulesheet is like. */
#include "api/api_fixture.h"

static uint32_t find_relation(const tabia_info *info, const char *name) {
  for (uint32_t i = 0; i < tabia_info_relation_count(info); i++)
    if (strcmp(tabia_info_relation_name(info, i), name) == 0) return i;
  fail_msg("no relation %s", name);
  return 0;
}

static void figures_of_a_small_game(void **state) {
  api_fixture *f = *state;
  assert_int_equal(read_text(f, COUNTING_GAME), TABIA_OK);
  tabia_info *info = tabia_info_new(f->rules, f->log);
  assert_int_equal(tabia_info_figure(info, TABIA_COUNT_RULES), 10);
  assert_int_equal(tabia_info_figure(info, TABIA_COUNT_FACTS), 6);
  assert_int_equal(tabia_info_figure(info, TABIA_COUNT_CLAUSES), 16);
  assert_true(tabia_info_figure(info, TABIA_COUNT_STRATA) >= 1);
  assert_int_equal(tabia_info_figure(info, TABIA_LARGEST_RULE_LINE), 3);
  assert_int_equal(tabia_info_figure(info, TABIA_LARGEST_RULE_CONDITIONS), 3);
  assert_int_equal(tabia_info_figure(info, TABIA_LARGEST_RULE_VARIABLES), 2);
  assert_int_equal(tabia_info_role_count(info), 1);
  assert_null(tabia_info_role(info, 1));
  tabia_info_free(info);
}

static void classes_of_a_small_game(void **state) {
  api_fixture *f = *state;
  assert_int_equal(read_text(f, COUNTING_GAME), TABIA_OK);
  tabia_info *info = tabia_info_new(f->rules, f->log);
  assert_true(tabia_info_is(info, TABIA_IS_STRATIFIED));
  assert_true(tabia_info_is(info, TABIA_IS_ALLOWED));
  assert_true(tabia_info_is(info, TABIA_IS_RECURSION_RESTRICTED));
  assert_true(tabia_info_is(info, TABIA_IS_BOUNDED));
  assert_true(tabia_info_is(info, TABIA_HAS_PERCEPTS));
  assert_false(tabia_info_is(info, TABIA_HAS_ROLE_RULES));
  assert_false(tabia_info_is(info, TABIA_HAS_RANDOM));
  tabia_info_free(info);
}

static void relations_tell_their_kind(void **state) {
  api_fixture *f = *state;
  assert_int_equal(read_text(f, "(role a) (e 1 2) (<= (r ?x ?y) (e ?x ?y))\n"
                                "(<= (r ?x ?z) (r ?x ?y) (e ?y ?z)) (<= terminal (true (r 1 2)))"),
                   TABIA_OK);
  tabia_info *info = tabia_info_new(f->rules, f->log);
  const uint32_t r = find_relation(info, "r"), e = find_relation(info, "e");
  assert_int_equal(tabia_info_relation_arity(info, r), 2);
  assert_int_equal(tabia_info_relation_rules(info, r), 2);
  assert_int_equal(tabia_info_relation_facts(info, r), 0);
  assert_int_equal(tabia_info_relation_facts(info, e), 1);
  assert_true(tabia_info_relation_is_recursive(info, r));
  assert_string_equal(tabia_info_relation_kind(info, r), "static");
  assert_string_equal(tabia_info_relation_lifetime(info, e), "permanent");
  const uint32_t end = find_relation(info, "terminal");
  assert_string_equal(tabia_info_relation_kind(info, end), "dynamic");
  assert_true(tabia_info_relation_stratum(info, end) >= tabia_info_relation_stratum(info, e));
  tabia_info_free(info);
}

static void the_checks_are_part_of_it(void **state) {
  api_fixture *f = *state;
  assert_int_equal(read_text(f, "(role a) (<= (p ?x) (q a)) (q a)"), TABIA_OK);
  tabia_info *info = tabia_info_new(f->rules, f->log);
  assert_false(tabia_info_is_sound(info));
  assert_false(tabia_info_is(info, TABIA_IS_ALLOWED));
  assert_says(f, "[E401]");
  tabia_info_free(info);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      a_test(figures_of_a_small_game),
      a_test(classes_of_a_small_game),
      a_test(relations_tell_their_kind),
      a_test(the_checks_are_part_of_it),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
