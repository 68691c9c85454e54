#include "base/json.h"

#include "base/base_fixture.h"

#include <math.h>

static void commas_and_colons_are_put_in(void **state) {
  text t = text_new(*state);
  json_writer w = json_to(&t);
  json_open_object(&w, NULL);
  json_put_string(&w, "game", "nim");
  json_open_array(&w, "moves");
  json_put_integer(&w, NULL, -3);
  json_put_bool(&w, NULL, true);
  json_open_array(&w, NULL);
  json_close_array(&w);
  json_close_array(&w);
  json_put_null(&w, "goal");
  json_close_object(&w);
  assert_string_equal(text_string(&t), "{\"game\":\"nim\",\"moves\":[-3,true,[]],\"goal\":null}");
}

static const char *quoted(arena *keep, const char *bytes, size_t length) {
  text t = text_new(keep);
  json_writer w = json_to(&t);
  json_put_slice(&w, NULL, (slice){bytes, length});
  return text_string(&t);
}

static void special_characters_are_escaped(void **state) {
  assert_string_equal(quoted(*state, "a\"b\\c\n\t\r\x01", 9), "\"a\\\"b\\\\c\\n\\t\\r\\u0001\"");
  assert_string_equal(quoted(*state, "\0x", 2), "\"\\u0000x\"");
}

static void utf8_stays_as_it_is(void **state) {
  assert_string_equal(quoted(*state, "ä€𝄞", strlen("ä€𝄞")), "\"ä€𝄞\"");
}

static void bytes_that_are_no_utf8_are_replaced(void **state) {
  assert_string_equal(quoted(*state,
                             "a\xff"
                             "b",
                             3),
                      "\"a\\ufffdb\"");
  assert_string_equal(quoted(*state, "\xc3", 1), "\"\\ufffd\"");
  assert_string_equal(quoted(*state,
                             "\xe2\x82"
                             "x",
                             3),
                      "\"\\ufffd\\ufffdx\"");
}

static const char *number(arena *keep, double value) {
  text t = text_new(keep);
  json_writer w = json_to(&t);
  json_put_number(&w, NULL, value);
  return text_string(&t);
}

static void numbers_that_json_lacks_are_null(void **state) {
  assert_string_equal(number(*state, 0.25), "0.25");
  assert_string_equal(number(*state, 1e9), "1e+09");
  assert_string_equal(number(*state, (double)NAN), "null");
  assert_string_equal(number(*state, (double)INFINITY), "null");
}

static void an_exact_value_keeps_its_digits(void **state) {
  text t = text_new(*state);
  json_writer w = json_to(&t);
  json_put_value(&w, NULL, 100.0 / 3);
  assert_string_equal(text_string(&t), "33.3333333333");
}

static void no_string_is_null(void **state) {
  text t = text_new(*state);
  json_writer w = json_to(&t);
  json_put_string(&w, NULL, NULL);
  assert_string_equal(text_string(&t), "null");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      base_test(commas_and_colons_are_put_in),
      base_test(special_characters_are_escaped),
      base_test(utf8_stays_as_it_is),
      base_test(bytes_that_are_no_utf8_are_replaced),
      base_test(numbers_that_json_lacks_are_null),
      base_test(an_exact_value_keeps_its_digits),
      base_test(no_string_is_null),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
