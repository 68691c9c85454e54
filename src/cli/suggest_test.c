#include "cli/suggest.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <string.h>

static void counts_single_slips(void **state) {
  (void)state;
  assert_int_equal(edit_distance("check", "check"), 0);
  assert_int_equal(edit_distance("chek", "check"), 1);
  assert_int_equal(edit_distance("checks", "check"), 1);
  assert_int_equal(edit_distance("chack", "check"), 1);
}

static void counts_swapped_neighbours_as_one_slip(void **state) {
  (void)state;
  assert_int_equal(edit_distance("hceck", "check"), 1);
  assert_int_equal(edit_distance("gmaes", "games"), 1);
}

static void ignores_letter_case(void **state) {
  (void)state;
  assert_int_equal(edit_distance("CHECK", "check"), 0);
}

static void measures_from_the_empty_word(void **state) {
  (void)state;
  assert_int_equal(edit_distance("", "abc"), 3);
  assert_int_equal(edit_distance("abc", ""), 3);
}

static void finds_a_word_of_64_bytes_far_from_everything(void **state) {
  (void)state;
  char word[65];
  memset(word, 'a', 64);
  word[64] = '\0';
  assert_int_equal(edit_distance(word, word), UINT32_MAX);
  assert_int_equal(edit_distance(word + 1, word + 1), 0);
}

static void proposes_the_nearest(void **state) {
  (void)state;
  suggestion s = suggest_for("shwo");
  suggest_consider(&s, "check");
  suggest_consider(&s, "show");
  suggest_consider(&s, "fmt");
  assert_string_equal(s.best, "show");
}

static void proposes_nothing_that_shares_no_letter(void **state) {
  (void)state;
  suggestion s = suggest_for("zz");
  suggest_consider(&s, "ab");
  suggest_consider(&s, "x");
  assert_null(s.best);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(counts_single_slips),
      cmocka_unit_test(counts_swapped_neighbours_as_one_slip),
      cmocka_unit_test(ignores_letter_case),
      cmocka_unit_test(measures_from_the_empty_word),
      cmocka_unit_test(finds_a_word_of_64_bytes_far_from_everything),
      cmocka_unit_test(proposes_the_nearest),
      cmocka_unit_test(proposes_nothing_that_shares_no_letter),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
