#include "base/text.h"

#include "base/base_fixture.h"

static void pieces_are_put_together(void **state) {
  text t = text_new(*state);
  assert_string_equal(text_string(&t), "");
  text_add(&t, "cell");
  text_add_char(&t, ' ');
  text_add_bytes(&t, "123", 2);
  text_add_format(&t, " %s=%d", "x", -5);
  assert_string_equal(text_string(&t), "cell 12 x=-5");
  assert_int_equal(t.length, 12);
}

static void numbers_are_written_in_full(void **state) {
  text t = text_new(*state);
  text_add_number(&t, 0);
  text_add_char(&t, ' ');
  text_add_number(&t, UINT64_MAX);
  assert_string_equal(text_string(&t), "0 18446744073709551615");
}

static void it_grows_as_far_as_it_must(void **state) {
  text t = text_new(*state);
  for (int i = 0; i < 20000; i++) text_add_format(&t, "%05d", i);
  assert_int_equal(t.length, 100000);
  assert_memory_equal(t.bytes + 99995, "19999", 6);
}

static void count_piece(void *context, const char *bytes, size_t length) {
  (void)bytes, (void)length;
  ++*(uint32_t *)context;
}

static void a_long_text_goes_piece_by_piece(void **state) {
  text whole = text_new(*state);
  text t = text_new(*state);
  uint32_t pieces = 0;
  for (int i = 0; i < 20000; i++) {
    text_add_format(&t, "%05d", i);
    text_pour_piece(&t, text_sink_to(&whole));
  }
  assert_in_range(t.capacity, 1, 40000);
  text_pour(&t, text_sink_to(&whole));
  assert_int_equal(t.length, 0);
  assert_int_equal(whole.length, 100000);
  assert_memory_equal(whole.bytes + 99995, "19999", 6);
  text_add(&t, "short");
  text_pour_piece(&t, (text_sink){count_piece, &pieces});
  assert_int_equal(pieces, 0);
  text_pour(&t, (text_sink){count_piece, &pieces});
  assert_int_equal(pieces, 1);
}

static void other_texts_in_the_arena_do_not_mix(void **state) {
  text a = text_new(*state);
  text b = text_new(*state);
  for (int i = 0; i < 1000; i++) {
    text_add(&a, "a");
    text_add(&b, "b");
  }
  assert_int_equal(strspn(text_string(&a), "a"), 1000);
  assert_int_equal(strspn(text_string(&b), "b"), 1000);
}

static void a_cleared_text_begins_anew(void **state) {
  text t = text_new(*state);
  text_add(&t, "old");
  text_clear(&t);
  assert_string_equal(text_string(&t), "");
  text_add(&t, "new");
  assert_string_equal(text_string(&t), "new");
}

static void quotation_marks_are_escaped(void **state) {
  text t = text_new(*state);
  text_add_quoted(&t, "");
  text_add_quoted(&t, "a \"b\" \\c");
  text_add_escaped(&t, "\"");
  assert_string_equal(text_string(&t), "\"\"\"a \\\"b\\\" \\\\c\"\\\"");
}

static void slices_are_compared_whole(void **state) {
  (void)state;
  assert_true(slice_equals(slice_of("true"), "true"));
  assert_false(slice_equals(slice_of("true"), "tru"));
  assert_false(slice_equals((slice){"true", 3}, "true"));
  assert_true(slice_equals((slice){"true", 3}, "tru"));
  assert_true(slice_equals((slice){"", 0}, ""));
}

static void only_one_is_singular(void **state) {
  (void)state;
  assert_string_equal(plural(0), "s");
  assert_string_equal(plural(1), "");
  assert_string_equal(plural(2), "s");
  assert_string_equal(plural(1 + (1ull << 32)), "s");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      base_test(pieces_are_put_together),
      base_test(numbers_are_written_in_full),
      base_test(it_grows_as_far_as_it_must),
      base_test(a_long_text_goes_piece_by_piece),
      base_test(other_texts_in_the_arena_do_not_mix),
      base_test(a_cleared_text_begins_anew),
      base_test(quotation_marks_are_escaped),
      base_test(slices_are_compared_whole),
      base_test(only_one_is_singular),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
