#include "rules/rules_fixture.h"
#include "rules/spelling.h"

static void the_nearest_of_several_is_taken(void **state) {
  (void)state;
  spelling s = spelling_of(slice_of("adjacnet"));
  assert_false(spelling_is_nearer(&s, slice_of("distance")));
  assert_true(spelling_is_nearer(&s, slice_of("adjacent")));
  assert_true(spelling_is_nearer(&s, slice_of("adjacet")));
  assert_false(spelling_is_nearer(&s, slice_of("adjacents")));
}

static void short_words_are_not_corrected(void **state) {
  (void)state;
  spelling s = spelling_of(slice_of("ab"));
  assert_false(spelling_is_nearer(&s, slice_of("ac")));
}

static void long_words_are_left_alone(void **state) {
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
      cmocka_unit_test(the_nearest_of_several_is_taken),
      cmocka_unit_test(short_words_are_not_corrected),
      cmocka_unit_test(long_words_are_left_alone),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
