#include "ggp/ggp_fixture.h"
#include "ggp/wire/http_head.h"

static http_head head_of(const char *bytes) {
  http_head h;
  assert_int_equal(http_head_read(&h, slice_of(bytes)), HTTP_WHOLE);
  return h;
}

/* The body of a reply, or what is the matter. */
static const char *body_at(const char *bytes, bool at_end) {
  http_head h = head_of(bytes);
  text body = text_new(test_arena);
  switch (http_body_read(&h, slice_of(bytes + h.size), at_end, &body)) {
    case HTTP_MORE: return "more";
    case HTTP_BROKEN: return "broken";
    case HTTP_WHOLE: break;
  }
  return text_string(&body);
}

static void reads_the_head_of_a_referee(void **state) {
  (void)state;
  const http_head h =
      head_of("POST / HTTP/1.0\r\nAccept: text/delim\r\nHost: localhost\r\nSender: GAMESERVER\r\n"
              "Receiver: NAME\r\nContent-Type: text/acl\r\nContent-Length: 15\r\n\r\n( PLAY w2 "
              "NIL )");
  assert_true(slice_equals(h.method, "POST"));
  assert_true(slice_equals(h.target, "/"));
  assert_true(h.has_length);
  assert_int_equal(h.length, 15);
  assert_int_equal(h.status, 0);
}

static void takes_bare_line_feeds_and_any_case(void **state) {
  (void)state;
  const http_head h = head_of("HTTP/1.1 200 OK\ncontent-LENGTH:5\n\nready");
  assert_int_equal(h.status, 200);
  assert_int_equal(h.length, 5);
}

static void passes_over_lines_that_are_no_headers(void **state) {
  (void)state;
  assert_int_equal(
      head_of("POST / HTTP/1.0\r\nSender\r\nBad header: 1\r\nContent-Length: 8\r\n\r\n").length, 8);
}

static void a_length_that_is_no_number_is_none(void **state) {
  (void)state;
  assert_false(head_of("POST / HTTP/1.0\r\nContent-Length: many\r\n\r\n").has_length);
  assert_false(
      head_of("POST / HTTP/1.0\r\nContent-Length: 99999999999999999999999\r\n\r\n").has_length);
}

static void a_path_may_hold_blanks(void **state) {
  (void)state;
  assert_true(slice_equals(head_of("GET /( INFO ) HTTP/1.1\r\n\r\n").target, "/( INFO )"));
  assert_true(slice_equals(head_of("GET /x\n\n").target, "/x"));
}

static void decodes_paths(void **state) {
  (void)state;
  text out = text_new(test_arena);
  http_add_decoded(slice_of("/%28%20PLAY+m%20nil%29%zz%2"), &out);
  assert_string_equal(text_string(&out), "( PLAY m nil)%zz%2");
}

static void what_is_no_http_is_broken(void **state) {
  (void)state;
  http_head h;
  assert_int_equal(http_head_read(&h, slice_of("( mark 1 1 )\r\n\r\n")), HTTP_BROKEN);
  assert_int_equal(http_head_read(&h, slice_of("HTTP/1.0 abc\r\n\r\n")), HTTP_BROKEN);
  assert_int_equal(http_head_read(&h, slice_of("\r\n\r\n")), HTTP_BROKEN);
}

static void waits_for_the_empty_line(void **state) {
  (void)state;
  http_head h;
  assert_int_equal(http_head_read(&h, slice_of("HTTP/1.0 200 OK\r\nA: b\r\n")), HTTP_MORE);
  assert_int_equal(http_head_read(&h, slice_of("HTT")), HTTP_MORE);
}

static void a_head_without_end_is_broken(void **state) {
  (void)state;
  http_head h;
  char *flood = arena_alloc(test_arena, HTTP_HEAD_MAX + 20);
  memset(flood, 'x', HTTP_HEAD_MAX + 19);
  flood[HTTP_HEAD_MAX + 19] = '\0';
  assert_int_equal(http_head_read(&h, slice_of(flood)), HTTP_BROKEN);
}

static void bodies_end_with_their_length(void **state) {
  (void)state;
  assert_string_equal(body_at("HTTP/1.1 500 No\r\nContent-Length: 5\r\n\r\nreadymore", false),
                      "ready");
  assert_string_equal(body_at("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nrea", false), "more");
  assert_string_equal(body_at("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nrea", true), "broken");
}

static void bodies_without_length_end_with_the_connection(void **state) {
  (void)state;
  assert_string_equal(body_at("HTTP/1.0 200 OK\r\n\r\nready", false), "more");
  assert_string_equal(body_at("HTTP/1.0 200 OK\r\n\r\nready", true), "ready");
}

static void bodies_in_chunks_are_put_together(void **state) {
  (void)state;
  static const char head[] = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
  text whole = text_new(test_arena), part = text_new(test_arena);
  text_add_format(&whole, "%s%s", head, "2\r\nre\r\n3;x=y\r\nady\r\n0\r\n\r\n");
  text_add_format(&part, "%s%s", head, "2\r\nre\r\n3\r\na");
  assert_string_equal(body_at(text_string(&whole), false), "ready");
  assert_string_equal(body_at(text_string(&part), false), "more");
  assert_string_equal(body_at(text_string(&part), true), "broken");
}

static void writes_the_recorded_request(void **state) {
  (void)state;
  text out = text_new(test_arena);
  http_add_request(&out, "localhost", "NAME", slice_of("( PLAY w2 NIL )"));
  assert_string_equal(text_string(&out),
                      "POST / HTTP/1.0\r\nAccept: text/delim\r\nHost: localhost\r\nSender: "
                      "GAMESERVER\r\nReceiver: NAME\r\nContent-Type: text/acl\r\nContent-Length: "
                      "15\r\n\r\n( PLAY w2 NIL )");
}

static void writes_the_recorded_reply(void **state) {
  (void)state;
  text out = text_new(test_arena);
  http_add_reply(&out, "( drop 4 )");
  assert_string_equal(
      text_string(&out),
      "HTTP/1.0 200 OK\r\nContent-type: text/acl\r\nContent-length: 10\r\n"
      "Access-Control-Allow-Origin: *\r\nAccess-Control-Allow-Methods: POST, GET, OPTIONS\r\n"
      "Access-Control-Allow-Headers: Content-Type\r\nAccess-Control-Allow-Age: 86400\r\n\r\n"
      "( drop 4 )");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(reads_the_head_of_a_referee),
      cmocka_unit_test(takes_bare_line_feeds_and_any_case),
      cmocka_unit_test(passes_over_lines_that_are_no_headers),
      cmocka_unit_test(a_length_that_is_no_number_is_none),
      cmocka_unit_test(a_path_may_hold_blanks),
      cmocka_unit_test(decodes_paths),
      cmocka_unit_test(what_is_no_http_is_broken),
      cmocka_unit_test(waits_for_the_empty_line),
      cmocka_unit_test(a_head_without_end_is_broken),
      cmocka_unit_test(bodies_end_with_their_length),
      cmocka_unit_test(bodies_without_length_end_with_the_connection),
      cmocka_unit_test(bodies_in_chunks_are_put_together),
      cmocka_unit_test(writes_the_recorded_request),
      cmocka_unit_test(writes_the_recorded_reply),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
