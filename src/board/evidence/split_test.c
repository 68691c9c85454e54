#include "board/board_fixture.h"

static split_form form_of(void **state, const char *const *words) {
  board_fixture *f = *state;
  names n = names_new(f->keep);
  id_vec values = {0};
  for (; *words; words++) vec_push(f->keep, &values, names_add(&n, *words, strlen(*words)));
  return split_form_of(&n, values.items, values.count);
}

#define WORDS(...) ((const char *const[]){__VA_ARGS__, NULL})

static void squares_have_a_letter_and_a_number(void **state) {
  assert_int_equal(form_of(state, WORDS("a1", "b1", "a2", "b2")), SPLIT_LETTER_NUMBER);
}

static void two_numbers_may_have_anything_between_them(void **state) {
  assert_int_equal(form_of(state, WORDS("c_1_1", "c_2_1", "c_1_2", "c_2_2")), SPLIT_TWO_NUMBERS);
  assert_int_equal(form_of(state, WORDS("r1c1", "r2c1", "r1c2", "r2c2")), SPLIT_TWO_NUMBERS);
}

static void two_digits_are_a_square_unless_they_count(void **state) {
  assert_int_equal(form_of(state, WORDS("11", "12", "21", "22")), SPLIT_TWO_DIGITS);
  assert_int_equal(form_of(state, WORDS("11", "12", "13", "14")), SPLIT_NONE);
}

static void other_names_do_not_split(void **state) {
  assert_int_equal(form_of(state, WORDS("d1", "d2", "d3", "d4")), SPLIT_NONE);
  assert_int_equal(form_of(state, WORDS("a1", "b1", "a2", "king")), SPLIT_NONE);
  assert_int_equal(form_of(state, WORDS("a1", "b2", "c3", "d4")), SPLIT_NONE);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void) {
  const struct CMUnitTest tests[] = {
      CASE(squares_have_a_letter_and_a_number),
      CASE(two_numbers_may_have_anything_between_them),
      CASE(two_digits_are_a_square_unless_they_count),
      CASE(other_names_do_not_split),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
