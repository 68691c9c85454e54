#include "serve/access.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static const access_rules own = {
    .port = 8800, .names = {"127.0.0.1", "localhost", "::1"}, .name_count = 3};

static access_answer answer(const access_rules *a, const char *host, const char *origin) {
  const web_request r = {.host = slice_of(host), .origin = origin ? slice_of(origin) : (slice){0}};
  return access_of(a, &r);
}

static void names_of_this_server_are_taken(void **state) {
  (void)state;
  assert_int_equal(answer(&own, "127.0.0.1:8800", NULL), ACCESS_OK);
  assert_int_equal(answer(&own, "LocalHost:8800", "http://localhost:8800"), ACCESS_OK);
  assert_int_equal(answer(&own, "[::1]:8800", "http://[::1]:8800"), ACCESS_OK);
}

static void other_names_are_refused(void **state) {
  (void)state;
  static const char *const hosts[] = {
      "evil.example:8800",   "127.0.0.1",       "127.0.0.1:8801",  "",
      "127.0.0.1:8800.evil", "localhost:88001", "xlocalhost:8800", "::1:8800"};
  for (size_t i = 0; i < sizeof hosts / sizeof *hosts; i++)
    assert_int_equal(answer(&own, hosts[i], NULL), ACCESS_HOST);
}

static void pages_of_other_sites_are_refused(void **state) {
  (void)state;
  static const char *const origins[] = {"http://evil.example",
                                        "https://127.0.0.1:8800",
                                        "null",
                                        "",
                                        "http://127.0.0.1:8801",
                                        "http://127.0.0.1:8800.evil.example",
                                        "http://"};
  for (size_t i = 0; i < sizeof origins / sizeof *origins; i++)
    assert_int_equal(answer(&own, "127.0.0.1:8800", origins[i]), ACCESS_ORIGIN);
}

static void the_usual_port_is_left_out(void **state) {
  (void)state;
  access_rules usual = own;
  usual.port = 80;
  assert_int_equal(answer(&usual, "localhost", "http://localhost"), ACCESS_OK);
}

static access_answer with_token(const char *authorization, const char *cookie, const char *query) {
  access_rules a = own;
  a.token = "0123456789abcdef";
  const web_request r = {.host = slice_of("localhost:8800"),
                         .authorization = slice_of(authorization),
                         .cookie = slice_of(cookie),
                         .query = slice_of(query)};
  return access_of(&a, &r);
}

static void a_token_comes_in_three_ways(void **state) {
  (void)state;
  assert_int_equal(with_token("", "", ""), ACCESS_TOKEN);
  assert_int_equal(with_token("Bearer 0123456789abcdef", "", ""), ACCESS_OK);
  assert_int_equal(with_token("", "a=b; tabia_token=0123456789abcdef", ""), ACCESS_OK);
  assert_int_equal(with_token("", "", "token=0123456789abcdef"), ACCESS_OK);
}

static void nothing_but_the_token_is_the_token(void **state) {
  (void)state;
  assert_int_equal(with_token("Bearer 0123456789abcdee", "", ""), ACCESS_TOKEN);
  assert_int_equal(with_token("Basic 0123456789abcdef", "", ""), ACCESS_TOKEN);
  assert_int_equal(with_token("Bearer ", "tabia_token=", "token="), ACCESS_TOKEN);
  assert_int_equal(with_token("", "", "token=0123456789abcdef0"), ACCESS_TOKEN);
}

static void tokens_are_long_and_new(void **state) {
  (void)state;
  char a[TOKEN_SIZE], b[TOKEN_SIZE];
  assert_true(access_make_token(a) && access_make_token(b));
  assert_int_equal(strlen(a), TOKEN_SIZE - 1);
  assert_string_not_equal(a, b);
}

static void loopback_is_told_from_the_rest(void **state) {
  (void)state;
  assert_true(access_is_loopback("127.0.0.1") && access_is_loopback("::1") &&
              access_is_loopback("localhost"));
  assert_false(access_is_loopback("0.0.0.0") || access_is_loopback("::") ||
               access_is_loopback("192.168.1.1"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(names_of_this_server_are_taken),
      cmocka_unit_test(other_names_are_refused),
      cmocka_unit_test(pages_of_other_sites_are_refused),
      cmocka_unit_test(the_usual_port_is_left_out),
      cmocka_unit_test(a_token_comes_in_three_ways),
      cmocka_unit_test(nothing_but_the_token_is_the_token),
      cmocka_unit_test(tokens_are_long_and_new),
      cmocka_unit_test(loopback_is_told_from_the_rest),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
