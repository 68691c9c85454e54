#include "board/board_fixture.h"

static ordering order_words(board_fixture *f, const char *const *words) {
  names *n = arena_alloc(f->keep, sizeof *n);
  const statics none = {.relations = names_new(f->keep)};
  id_vec values = {0};
  *n = names_new(f->keep);
  for (; *words; words++) vec_push(f->keep, &values, names_add(n, *words, strlen(*words)));
  f->samples.fluents.values = *n;
  const ordering o = order_values(n, &none, &values, f->keep);
  f->samples.fluents.values = *n;
  return o;
}

static void assert_order(void **state, const char *const *words, const char *expected,
                         double quality) {
  board_fixture *f = *state;
  const ordering o = order_words(f, words);
  text out = text_new(f->keep);
  for (uint32_t i = 0; i < o.items.count; i++)
    text_add_format(&out, "%s%s", i ? " " : "",
                    names_text(&f->samples.fluents.values, o.items.items[i]));
  assert_string_equal(text_string(&out), expected);
  assert_true(o.quality == quality);
}

#define WORDS(...) ((const char *const[]){__VA_ARGS__, NULL})

static void numbers_are_sorted_and_their_gaps_filled(void **state) {
  assert_order(state, WORDS("10", "9", "7"), "7 8 9 10", 3);
  assert_order(state, WORDS("0", "100"), "0 100", 1);
}

static void names_with_a_number_are_numbers(void **state) {
  assert_order(state, WORDS("c10", "c8", "c9"), "c8 c9 c10", 3);
}

static void letters_one_after_another_are_in_order(void **state) {
  assert_order(state, WORDS("c", "a", "b"), "a b c", 3);
  assert_order(state, WORDS("x", "o"), "o x", 0);
}

static void words_for_numbers_and_sides_are_in_order(void **state) {
  assert_order(state, WORDS("three", "one", "two"), "one two three", 3);
  assert_order(state, WORDS("right", "middle", "left"), "left middle right", 1.5);
}

static void a_few_words_may_follow_numbers(void **state) {
  assert_order(state, WORDS("store", "1", "3", "2"), "1 2 3 store", 2);
}

static void nothing_is_known_of_other_words(void **state) {
  assert_order(state, WORDS("pear", "apple"), "apple pear", 0);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void) {
  const struct CMUnitTest tests[] = {
      CASE(numbers_are_sorted_and_their_gaps_filled),
      CASE(names_with_a_number_are_numbers),
      CASE(letters_one_after_another_are_in_order),
      CASE(words_for_numbers_and_sides_are_in_order),
      CASE(a_few_words_may_follow_numbers),
      CASE(nothing_is_known_of_other_words),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
