#include "ggp/ggp_fixture.h"
#include "ggp/wire/scramble.h"

static const char rules[] = "(role Red) (role random) (init (step 1)) (<= (legal Red (pick ?Card)) "
                            "(true (step 1)) (distinct ?Card ace)) (<= terminal (true (step 2)))";

static void sends_names_in_the_case_of_the_rules(void **state) {
  (void)state;
  name_map m = name_map_new(test_arena);
  name_map_learn_case(&m, slice_of(rules));
  assert_string_equal(name_map_terms(&m, "(pick red)", test_arena), "( pick Red )");
  assert_string_equal(name_map_terms(&m, "unknown", test_arena), "unknown");
}

static void the_first_spelling_counts(void **state) {
  (void)state;
  name_map m = name_map_new(test_arena);
  name_map_learn_case(&m, slice_of("(role Red) (legal RED go)"));
  assert_string_equal(name_map_terms(&m, "red", test_arena), "Red");
}

static void scrambled_names_come_back(void **state) {
  (void)state;
  rng random = rng_new(1, 1);
  name_map to = name_map_new(test_arena), back = name_map_new(test_arena);
  scramble_names(slice_of(rules), &random, &to, &back);
  const char *other = name_map_terms(&to, rules, test_arena);
  assert_null(strstr(other, "Red"));
  assert_null(strstr(other, "pick"));
  assert_null(strstr(other, "?Card"));
  assert_string_equal(
      name_map_terms(&back, name_map_terms(&to, "(pick Ace)", test_arena), test_arena),
      "( pick ace )");
}

static void keywords_numbers_and_chance_keep_their_names(void **state) {
  (void)state;
  rng random = rng_new(7, 1);
  name_map to = name_map_new(test_arena), back = name_map_new(test_arena);
  scramble_names(slice_of(rules), &random, &to, &back);
  assert_null(name_map_find(&to, slice_of("random")));
  assert_null(name_map_find(&to, slice_of("LEGAL")));
  assert_null(name_map_find(&to, slice_of("1")));
  assert_int_equal(*name_map_find(&to, slice_of("?card"))->to.start, '?');
}

static void no_two_names_become_one(void **state) {
  (void)state;
  text many = text_new(test_arena);
  for (int i = 0; i < 20000; i++) text_add_format(&many, "name%d ", i);
  rng random = rng_new(3, 1);
  name_map to = name_map_new(test_arena), back = name_map_new(test_arena);
  scramble_names(slice_of(text_string(&many)), &random, &to, &back);
  assert_int_equal(to.pairs.count, 20000);
  assert_int_equal(back.pairs.count, 20000);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sends_names_in_the_case_of_the_rules),
      cmocka_unit_test(the_first_spelling_counts),
      cmocka_unit_test(scrambled_names_come_back),
      cmocka_unit_test(keywords_numbers_and_chance_keep_their_names),
      cmocka_unit_test(no_two_names_become_one),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
