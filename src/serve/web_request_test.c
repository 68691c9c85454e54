#include "serve/web_request.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static web_request read_whole(const char *bytes) {
  web_request r;
  assert_int_equal(web_request_read(&r, slice_of(bytes)), WEB_WHOLE);
  return r;
}

static bool is_broken(const char *bytes) {
  web_request r;
  return web_request_read(&r, slice_of(bytes)) == WEB_BROKEN;
}

static void reads_a_request_of_a_browser(void **state) {
  (void)state;
  static const char bytes[] =
      "GET /api/games/tic-tac-toe?x=1&token=abc HTTP/1.1\r\nHost: localhost:8800\r\n"
      "ORIGIN: http://localhost:8800\r\nCookie: a=b; tabia_token=t\r\nAccept-Encoding:  gzip, br \r\n\r\nrest";
  const web_request r = read_whole(bytes);
  assert_true(slice_equals(r.method, "GET"));
  assert_string_equal(r.path, "/api/games/tic-tac-toe");
  assert_true(slice_equals(r.host, "localhost:8800"));
  assert_true(slice_equals(r.origin, "http://localhost:8800"));
  assert_true(slice_equals(r.encodings, "gzip, br"));
  assert_true(slice_equals(web_value(r.query, "token"), "abc"));
  assert_true(slice_equals(web_value(r.cookie, "tabia_token"), "t"));
  assert_int_equal(r.size, sizeof bytes - 1 - 4);
  assert_false(r.has_body || r.is_last);
}

static void any_beginning_of_a_head_asks_for_more(void **state) {
  (void)state;
  static const char bytes[] = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";
  web_request r;
  for (size_t i = 0; i + 1 < sizeof bytes; i++)
    assert_int_equal(web_request_read(&r, (slice){bytes, i}), WEB_MORE);
  read_whole(bytes);
}

static void a_head_without_end_is_broken(void **state) {
  (void)state;
  static char bytes[WEB_HEAD_MAX + 2];
  memset(bytes, 'a', sizeof bytes - 1);
  assert_true(is_broken(bytes));
}

static void a_path_is_decoded(void **state) {
  (void)state;
  assert_string_equal(read_whole("GET /a%2fb%2Dc HTTP/1.1\r\n\r\n").path, "/a/b-c");
}

static void a_path_that_leads_elsewhere_is_broken(void **state) {
  (void)state;
  assert_true(is_broken("GET /../etc/passwd HTTP/1.1\r\n\r\n"));
  assert_true(is_broken("GET /%2e%2e/etc HTTP/1.1\r\n\r\n"));
  assert_true(is_broken("GET /a%00b HTTP/1.1\r\n\r\n"));
  assert_true(is_broken("GET /a%0ab HTTP/1.1\r\n\r\n"));
  assert_true(is_broken("GET /a%zz HTTP/1.1\r\n\r\n"));
  assert_true(is_broken("GET /a%4 HTTP/1.1\r\n\r\n"));
  assert_true(is_broken("GET /a\\b HTTP/1.1\r\n\r\n"));
  assert_true(is_broken("GET http://evil.example/ HTTP/1.1\r\n\r\n"));
}

static void a_path_that_is_too_long_is_broken(void **state) {
  (void)state;
  char bytes[WEB_PATH_MAX + 100] = "GET /";
  memset(bytes + 5, 'a', WEB_PATH_MAX);
  strcpy(bytes + 5 + WEB_PATH_MAX, " HTTP/1.1\r\n\r\n");
  assert_true(is_broken(bytes));
}

static void what_two_readers_could_read_differently_is_broken(void **state) {
  (void)state;
  assert_true(is_broken("GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n"));
  assert_true(is_broken("GET / HTTP/1.1\r\nHost: a\r\n continued\r\n\r\n"));
  assert_true(is_broken("GET / HTTP/1.1\r\nnonsense\r\n\r\n"));
  assert_true(is_broken("GET / HTTP/1.1\r\n: empty\r\n\r\n"));
  assert_true(is_broken("GET / HTTP/2\r\n\r\n"));
  assert_true(is_broken("GET /\r\n\r\n"));
  assert_true(is_broken("\r\n\r\n"));
}

static void bodies_and_last_requests_are_told(void **state) {
  (void)state;
  assert_true(read_whole("POST / HTTP/1.1\r\nContent-Length: 5\r\n\r\n").has_body);
  assert_true(read_whole("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n").has_body);
  assert_false(read_whole("GET / HTTP/1.1\r\nContent-Length: 0\r\n\r\n").has_body);
  assert_true(read_whole("GET / HTTP/1.1\r\nConnection: close\r\n\r\n").is_last);
  assert_true(read_whole("GET / HTTP/1.0\r\n\r\n").is_last);
}

static void a_value_is_that_of_the_whole_name(void **state) {
  (void)state;
  assert_true(slice_equals(web_value(slice_of("xtoken=1; token=2"), "token"), "2"));
  assert_int_equal(web_value(slice_of("token"), "token").length, 0);
  assert_int_equal(web_value(slice_of("tokens=1"), "token").length, 0);
  assert_int_equal(web_value((slice){0}, "token").length, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(reads_a_request_of_a_browser),
      cmocka_unit_test(any_beginning_of_a_head_asks_for_more),
      cmocka_unit_test(a_head_without_end_is_broken),
      cmocka_unit_test(a_path_is_decoded),
      cmocka_unit_test(a_path_that_leads_elsewhere_is_broken),
      cmocka_unit_test(a_path_that_is_too_long_is_broken),
      cmocka_unit_test(what_two_readers_could_read_differently_is_broken),
      cmocka_unit_test(bodies_and_last_requests_are_told),
      cmocka_unit_test(a_value_is_that_of_the_whole_name),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
