/* What a referee, a browser or a stranger may send to a player. */
#include "ggp/wire/http_server.h"

#include "base/budget.h"
#include "ggp/wire/tcp.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <arpa/inet.h>
#include <poll.h>
#include <unistd.h>

typedef struct fixture {
  arena *keep;
  http_server *server;
  char address[32];
  text seen; /* requests, each in brackets */
  uint64_t last;
  bool answers_later;
} fixture;

static void note_request(void *context, uint64_t request, slice body) {
  fixture *f = context;
  text_add_format(&f->seen, "[%.*s]", (int)body.length, body.start);
  f->last = request;
  if (!f->answers_later) http_server_reply(f->server, request, "done");
}

static int set_up(void **state) {
  arena *keep = arena_new();
  fixture *f = arena_alloc_zero(keep, sizeof *f);
  uint16_t port;
  f->keep = keep;
  f->seen = text_new(keep);
  const int listener = tcp_listen("127.0.0.1", 0, &port);
  assert_true(listener >= 0);
  f->server = http_server_new(listener, -1, note_request, f);
  snprintf(f->address, sizeof f->address, "127.0.0.1:%u", port);
  *state = f;
  return 0;
}

static int tear_down(void **state) {
  fixture *f = *state;
  http_server_free(f->server);
  arena_free(f->keep);
  return 0;
}

static int call(fixture *f) {
  tcp_address a;
  const char *why;
  assert_true(tcp_resolve(&a, f->address, f->keep, &why));
  const int socket = tcp_connect(&a);
  assert_true(socket >= 0);
  struct pollfd one = {.fd = socket, .events = POLLOUT};
  assert_int_equal(poll(&one, 1, 60000), 1);
  return socket;
}

static void say(int socket, const char *bytes) {
  size_t sent = 0;
  assert_int_equal(tcp_send(socket, slice_of(bytes), &sent), TCP_DONE);
}

/* Runs the server until the other side has what was asked for. */
static bool has_seen(fixture *f, const char *seen) {
  const double end = clock_now() + 60;
  while (strcmp(text_string(&f->seen), seen) != 0 && clock_now() < end)
    http_server_step(f->server, 0.05);
  return strcmp(text_string(&f->seen), seen) == 0;
}

/* All that the server sends until it closes. */
static const char *hear(fixture *f, int socket) {
  text reply = text_new(f->keep);
  tcp_result result = TCP_WAIT;
  const double end = clock_now() + 60;
  while ((result == TCP_WAIT || result == TCP_DONE) && clock_now() < end) {
    http_server_step(f->server, 0.01);
    result = tcp_receive(socket, &reply, 1 << 20);
  }
  close(socket);
  return text_string(&reply);
}

static void expect_done(fixture *f, int socket) {
  const char *reply = hear(f, socket);
  assert_memory_equal(reply, "HTTP/1.0 200 OK\r\n", 17);
  assert_non_null(strstr(reply, "\r\n\r\ndone"));
}

static void takes_a_post(void **state) {
  fixture *f = *state;
  const int socket = call(f);
  say(socket, "POST / HTTP/1.0\r\nContent-Length: 8\r\n\r\n( INFO )");
  assert_true(has_seen(f, "[( INFO )]"));
  expect_done(f, socket);
}

static void takes_a_post_byte_by_byte(void **state) {
  fixture *f = *state;
  const int socket = call(f);
  for (const char *at = "POST / HTTP/1.0\nContent-Length: 8\n\n( INFO )"; *at; at++) {
    say(socket, (const char[]){*at, '\0'});
    http_server_step(f->server, 0.05);
  }
  assert_true(has_seen(f, "[( INFO )]"));
  expect_done(f, socket);
}

static void takes_a_post_without_length_and_without_end(void **state) {
  fixture *f = *state;
  const int socket = call(f);
  say(socket, "POST / HTTP/1.0\r\n\r\n( PLAY m NIL )");
  assert_true(has_seen(f, "[( PLAY m NIL )]"));
  expect_done(f, socket);
}

static void takes_a_bare_word_up_to_the_end(void **state) {
  fixture *f = *state;
  const int socket = call(f);
  say(socket, "POST / HTTP/1.0\r\n\r\nINFO");
  shutdown(socket, SHUT_WR);
  assert_true(has_seen(f, "[INFO]"));
  expect_done(f, socket);
}

static void takes_a_bare_word_after_a_pause(void **state) {
  fixture *f = *state;
  const int socket = call(f);
  say(socket, "POST / HTTP/1.0\r\n\r\nINFO");
  assert_true(has_seen(f, "[INFO]"));
  expect_done(f, socket);
}

/* Two characters of two bytes each: the sender counts characters. */
static void takes_a_length_that_is_too_small(void **state) {
  fixture *f = *state;
  const int socket = call(f);
  say(socket, "POST / HTTP/1.0\r\nContent-Length: 13\r\n\r\n( PLAY \xc3\xa4\xc3\xa4 NIL )");
  assert_true(has_seen(f, "[( PLAY \xc3\xa4\xc3\xa4 NIL )]"));
  expect_done(f, socket);
}

static void takes_a_length_that_is_too_large(void **state) {
  fixture *f = *state;
  const int socket = call(f);
  say(socket, "POST / HTTP/1.0\r\nContent-Length: 99\r\n\r\n( INFO )");
  assert_true(has_seen(f, "[( INFO )]"));
  expect_done(f, socket);
}

static void takes_a_get_with_a_message_as_its_path(void **state) {
  fixture *f = *state;
  const int socket = call(f);
  say(socket, "GET /%28%20INFO%20%29 HTTP/1.1\r\nHost: x\r\n\r\n");
  assert_true(has_seen(f, "[( INFO )]"));
  expect_done(f, socket);
}

static void takes_chunks(void **state) {
  fixture *f = *state;
  const int socket = call(f);
  say(socket,
      "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n4\r\n( IN\r\n4\r\nFO )\r\n0\r\n\r\n");
  assert_true(has_seen(f, "[( INFO )]"));
  expect_done(f, socket);
}

static void answers_a_preflight_by_itself(void **state) {
  fixture *f = *state;
  const int socket = call(f);
  say(socket, "OPTIONS / HTTP/1.1\r\nOrigin: http://x\r\n\r\n");
  const char *reply = hear(f, socket);
  assert_non_null(strstr(reply, "Access-Control-Allow-Origin: *\r\n"));
  assert_non_null(strstr(reply, "Content-length: 0\r\n"));
  assert_int_equal(f->seen.length, 0);
}

static void a_reply_is_not_lost_where_more_was_sent(void **state) {
  fixture *f = *state;
  const int socket = call(f);
  say(socket, "POST / HTTP/1.0\r\nContent-Length: 8\r\n\r\n( INFO )\r\n\r\nand more\r\n");
  assert_true(has_seen(f, "[( INFO )\r\n\r\nand more\r\n]"));
  expect_done(f, socket);
}

static void a_second_request_is_answered_before_the_first(void **state) {
  fixture *f = *state;
  const int first = call(f), second = call(f);
  f->answers_later = true;
  say(first, "POST / HTTP/1.0\r\n\r\n( PLAY m NIL )");
  assert_true(has_seen(f, "[( PLAY m NIL )]"));
  const uint64_t play = f->last;
  say(second, "POST / HTTP/1.0\r\n\r\n( ABORT m )");
  assert_true(has_seen(f, "[( PLAY m NIL )][( ABORT m )]"));
  http_server_reply(f->server, f->last, "done");
  expect_done(f, second);
  http_server_reply(f->server, play, "done");
  expect_done(f, first);
}

static void closes_where_there_is_no_http(void **state) {
  fixture *f = *state;
  const int socket = call(f);
  say(socket, "( INFO )\r\n\r\n");
  assert_string_equal(hear(f, socket), "");
  assert_int_equal(f->seen.length, 0);
}

static void forgets_who_hangs_up(void **state) {
  fixture *f = *state;
  const int socket = call(f);
  f->answers_later = true;
  say(socket, "POST / HTTP/1.0\r\n\r\n( INFO )");
  assert_true(has_seen(f, "[( INFO )]"));
  setsockopt(socket, SOL_SOCKET, SO_LINGER, &(struct linger){1, 0}, sizeof(struct linger));
  close(socket);
  const double end = clock_now() + 60;
  while (http_server_connections(f->server) && clock_now() < end) http_server_step(f->server, 0.05);
  assert_int_equal(http_server_connections(f->server), 0);
  http_server_reply(f->server, f->last, "done");
}

static void silent_connections_make_room_for_others(void **state) {
  fixture *f = *state;
  int silent[100];
  for (int i = 0; i < 100; i++) {
    silent[i] = call(f);
    http_server_step(f->server, 0.05);
  }
  const int socket = call(f);
  say(socket, "POST / HTTP/1.0\r\n\r\n( INFO )");
  assert_true(has_seen(f, "[( INFO )]"));
  expect_done(f, socket);
  for (int i = 0; i < 100; i++) close(silent[i]);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(takes_a_post, set_up, tear_down),
      cmocka_unit_test_setup_teardown(takes_a_post_byte_by_byte, set_up, tear_down),
      cmocka_unit_test_setup_teardown(takes_a_post_without_length_and_without_end, set_up,
                                      tear_down),
      cmocka_unit_test_setup_teardown(takes_a_bare_word_up_to_the_end, set_up, tear_down),
      cmocka_unit_test_setup_teardown(takes_a_bare_word_after_a_pause, set_up, tear_down),
      cmocka_unit_test_setup_teardown(takes_a_length_that_is_too_small, set_up, tear_down),
      cmocka_unit_test_setup_teardown(takes_a_length_that_is_too_large, set_up, tear_down),
      cmocka_unit_test_setup_teardown(takes_a_get_with_a_message_as_its_path, set_up, tear_down),
      cmocka_unit_test_setup_teardown(takes_chunks, set_up, tear_down),
      cmocka_unit_test_setup_teardown(answers_a_preflight_by_itself, set_up, tear_down),
      cmocka_unit_test_setup_teardown(a_reply_is_not_lost_where_more_was_sent, set_up, tear_down),
      cmocka_unit_test_setup_teardown(a_second_request_is_answered_before_the_first, set_up,
                                      tear_down),
      cmocka_unit_test_setup_teardown(closes_where_there_is_no_http, set_up, tear_down),
      cmocka_unit_test_setup_teardown(forgets_who_hangs_up, set_up, tear_down),
      cmocka_unit_test_setup_teardown(silent_connections_make_room_for_others, set_up, tear_down),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
