#include "base/spelling.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <string.h>

static uint32_t distance(const char *a, const char *b) {
  return edit_distance(slice_of(a), slice_of(b));
}

static void counts_single_slips(void **state) {
  (void)state;
  assert_int_equal(distance("check", "check"), 0);
  assert_int_equal(distance("chek", "check"), 1);
  assert_int_equal(distance("checks", "check"), 1);
  assert_int_equal(distance("chack", "check"), 1);
}

static void counts_swapped_neighbours_as_one_slip(void **state) {
  (void)state;
  assert_int_equal(distance("hceck", "check"), 1);
  assert_int_equal(distance("gmaes", "games"), 1);
}

static void ignores_letter_case(void **state) {
  (void)state;
  assert_int_equal(distance("CHECK", "check"), 0);
}

static void measures_from_the_empty_word(void **state) {
  (void)state;
  assert_int_equal(distance("", "abc"), 3);
  assert_int_equal(distance("abc", ""), 3);
}

static void finds_a_word_of_64_bytes_far_from_everything(void **state) {
  (void)state;
  char word[64];
  memset(word, 'a', sizeof word);
  assert_int_equal(edit_distance((slice){word, 64}, (slice){word, 64}), UINT32_MAX);
  assert_int_equal(edit_distance((slice){word, 63}, (slice){word, 63}), 0);
}

static void proposes_the_nearest_of_several(void **state) {
  (void)state;
  spelling s = spelling_of(slice_of("adjacnt"));
  assert_false(spelling_is_nearer(&s, slice_of("distance")));
  assert_null(s.best.start);
  assert_true(spelling_is_nearer(&s, slice_of("adjacents")));
  assert_true(spelling_is_nearer(&s, slice_of("adjacent")));
  assert_false(spelling_is_nearer(&s, slice_of("adjacet")));
  assert_true(slice_equals(s.best, "adjacent"));
}

static void does_not_correct_short_words(void **state) {
  (void)state;
  spelling s = spelling_of(slice_of("ab"));
  assert_false(spelling_is_nearer(&s, slice_of("ac")));
}

static void leaves_long_words_alone(void **state) {
  (void)state;
  char word[200];
  memset(word, 'a', sizeof word);
  spelling s = spelling_of((slice){word, sizeof word});
  assert_false(spelling_is_nearer(&s, (slice){word, sizeof word - 1}));
  s = spelling_of(slice_of("adjacent"));
  assert_false(spelling_is_nearer(&s, (slice){word, sizeof word}));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(counts_single_slips),
      cmocka_unit_test(counts_swapped_neighbours_as_one_slip),
      cmocka_unit_test(ignores_letter_case),
      cmocka_unit_test(measures_from_the_empty_word),
      cmocka_unit_test(finds_a_word_of_64_bytes_far_from_everything),
      cmocka_unit_test(proposes_the_nearest_of_several),
      cmocka_unit_test(does_not_correct_short_words),
      cmocka_unit_test(leaves_long_words_alone),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
