/* What a player may do to a referee, each thing by itself. */
#include "ggp/ggp_fixture.h"
#include "ggp/wire/exchange.h"

#include "base/budget.h"

#include "ggp/wire/fake_player_fixture.h"

enum { LONG_SECONDS = 60 }; /* what ends by itself ends long before */

/* `was_asked`: the request has come to the player. */
static exchange exchange_within(fake_way way, const char *bytes, double seconds, bool *was_asked) {
  const fake_script script = {way, bytes};
  fake_player p;
  tcp_address to;
  const char *why;
  fake_player_start(&p, &script, 1);
  assert_true(tcp_resolve(&to, p.address, test_arena, &why));
  exchange e = {.to = &to, .receiver = "NAME", .message = "( PLAY w2 NIL )"};
  exchange_all(&e, 1, clock_now() + seconds, NULL, test_arena);
  fake_player_stop(&p);
  *was_asked = strstr(text_string(&p.last), "( PLAY w2 NIL )");
  fake_player_free(&p);
  return e;
}

static exchange exchange_at_leisure(fake_way way, const char *bytes) {
  bool was_asked;
  const exchange e = exchange_within(way, bytes, LONG_SECONDS, &was_asked);
  assert_true(was_asked || way == FAKE_RESETS);
  return e;
}

static void expect_reply(fake_way way, const char *bytes, const char *reply) {
  const exchange e = exchange_at_leisure(way, bytes);
  assert_int_equal(e.outcome, EXCHANGE_REPLY);
  assert_true(slice_equals(e.reply, reply));
}

static void expect_failure(fake_way way, const char *bytes) {
  const exchange e = exchange_at_leisure(way, bytes);
  assert_int_equal(e.outcome, EXCHANGE_FAILED);
  assert_non_null(e.why);
}

static void takes_a_plain_reply(void **state) {
  (void)state;
  expect_reply(FAKE_REPLIES, "HTTP/1.0 200 OK\r\nContent-length: 4\r\n\r\nnoop", "noop");
}

static void takes_a_reply_with_line_feeds_alone(void **state) {
  (void)state;
  expect_reply(FAKE_REPLIES, "HTTP/1.0 200 OK\ncontent-length: 4\n\nnoop", "noop");
}

static void takes_a_reply_without_length(void **state) {
  (void)state;
  expect_reply(FAKE_REPLIES, "HTTP/1.0 200 OK\r\n\r\n( mark 1 1 )", "( mark 1 1 )");
}

static void takes_an_empty_reply(void **state) {
  (void)state;
  expect_reply(FAKE_REPLIES, "HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n", "");
}

static void needs_no_close_where_there_is_a_length(void **state) {
  (void)state;
  expect_reply(FAKE_KEEPS, "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nnoop", "noop");
}

static void takes_status_500(void **state) {
  (void)state;
  expect_reply(FAKE_REPLIES, "HTTP/1.1 500 Oh\r\nContent-Length: 4\r\n\r\nnoop", "noop");
}

static void takes_chunks_and_continue(void **state) {
  (void)state;
  expect_reply(FAKE_KEEPS,
               "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nTransfer-Encoding: "
               "chunked\r\n\r\n4\r\nnoop\r\n0\r\n\r\n",
               "noop");
}

static void fails_at_once_where_there_is_no_http(void **state) {
  (void)state;
  expect_failure(FAKE_KEEPS, "( mark 1 1 )\n");
}

static void fails_where_the_connection_closes_early(void **state) {
  (void)state;
  expect_failure(FAKE_REPLIES, "HTTP/1.0 200 OK\r\nContent-length: 40\r\n\r\nnoop");
  expect_failure(FAKE_REPLIES, "HTTP/1.0 200");
  expect_failure(FAKE_REPLIES, "");
}

static void fails_where_the_connection_is_reset(void **state) {
  (void)state;
  expect_failure(FAKE_RESETS, "");
}

static void fails_where_nobody_listens(void **state) {
  (void)state;
  tcp_address to;
  const char *why;
  assert_true(tcp_resolve(&to, "127.0.0.1:1", test_arena, &why));
  exchange e = {.to = &to, .receiver = "NAME", .message = "( INFO )"};
  exchange_all(&e, 1, clock_now() + LONG_SECONDS, NULL, test_arena);
  assert_int_equal(e.outcome, EXCHANGE_FAILED);
}

/* A busy computer may need longer until the player is asked. */
static void expect_late(fake_way way, const char *bytes) {
  bool was_asked = false;
  for (double seconds = 0.3; !was_asked; seconds *= 2)
    assert_int_equal(exchange_within(way, bytes, seconds, &was_asked).outcome, EXCHANGE_LATE);
}

static void a_silent_player_is_late(void **state) {
  (void)state;
  expect_late(FAKE_SLEEPS, "");
}

static void a_slow_drip_is_late(void **state) {
  (void)state;
  expect_late(FAKE_DRIPS, "HTTP/1.0 200 OK\r\nA: b\r\n");
}

static void a_reply_without_end_is_late(void **state) {
  (void)state;
  expect_late(FAKE_KEEPS, "HTTP/1.0 200 OK\r\n\r\nnoop");
}

static void a_flood_is_a_reply_that_says_nothing(void **state) {
  (void)state;
  char *flood = arena_alloc(test_arena, 1 << 16);
  memset(flood, 'x', 1 << 16);
  flood[(1 << 16) - 1] = '\0';
  memcpy(flood, "HTTP/1.0 200 OK\r\n\r\n", 19);
  const exchange e = exchange_at_leisure(FAKE_FLOODS, flood);
  assert_int_equal(e.outcome, EXCHANGE_REPLY);
  assert_int_equal(e.reply.length, 0);
}

/* What comes of a player who is asked together with one who never answers. */
static exchange_outcome outcome_beside_a_silent_player(double seconds) {
  const fake_script silent = {FAKE_SLEEPS, ""};
  const fake_script good = {FAKE_REPLIES, "HTTP/1.0 200 OK\r\nContent-length: 4\r\n\r\nnoop"};
  fake_player p[2];
  tcp_address to[2];
  exchange e[2];
  const char *why;
  for (int i = 0; i < 2; i++) {
    fake_player_start(&p[i], i ? &good : &silent, 1);
    assert_true(tcp_resolve(&to[i], p[i].address, test_arena, &why));
    e[i] = (exchange){.to = &to[i], .receiver = "NAME", .message = "( INFO )"};
  }
  exchange_all(e, 2, clock_now() + seconds, NULL, test_arena);
  assert_int_equal(e[0].outcome, EXCHANGE_LATE);
  for (int i = 0; i < 2; i++) fake_player_stop(&p[i]);
  for (int i = 0; i < 2; i++) fake_player_free(&p[i]);
  return e[1].outcome;
}

static void one_player_does_not_hold_another(void **state) {
  (void)state;
  double seconds = 0.5;
  while (outcome_beside_a_silent_player(seconds) == EXCHANGE_LATE && seconds < LONG_SECONDS)
    seconds *= 2; /* a busy computer */
  assert_true(seconds < LONG_SECONDS);
}

static void an_interrupt_ends_it(void **state) {
  (void)state;
  const volatile sig_atomic_t stop = 1;
  const fake_script silent = {FAKE_SLEEPS, ""};
  fake_player p;
  tcp_address to;
  const char *why;
  fake_player_start(&p, &silent, 1);
  assert_true(tcp_resolve(&to, p.address, test_arena, &why));
  exchange e = {.to = &to, .receiver = "NAME", .message = "( INFO )"};
  exchange_all(&e, 1, clock_now() + LONG_SECONDS, &stop, test_arena);
  assert_int_equal(e.outcome, EXCHANGE_LATE);
  fake_player_stop(&p);
  fake_player_free(&p);
}

static void an_address_needs_a_port(void **state) {
  (void)state;
  tcp_address a;
  const char *why;
  assert_false(tcp_resolve(&a, "localhost", test_arena, &why));
  assert_false(tcp_resolve(&a, ":9147", test_arena, &why));
  assert_false(tcp_resolve(&a, "localhost:http!", test_arena, &why));
  assert_true(tcp_resolve(&a, "[::1]:9147", test_arena, &why));
  assert_string_equal(a.host, "::1");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(takes_a_plain_reply),
      cmocka_unit_test(takes_a_reply_with_line_feeds_alone),
      cmocka_unit_test(takes_a_reply_without_length),
      cmocka_unit_test(takes_an_empty_reply),
      cmocka_unit_test(needs_no_close_where_there_is_a_length),
      cmocka_unit_test(takes_status_500),
      cmocka_unit_test(takes_chunks_and_continue),
      cmocka_unit_test(fails_at_once_where_there_is_no_http),
      cmocka_unit_test(fails_where_the_connection_closes_early),
      cmocka_unit_test(fails_where_the_connection_is_reset),
      cmocka_unit_test(fails_where_nobody_listens),
      cmocka_unit_test(a_silent_player_is_late),
      cmocka_unit_test(a_slow_drip_is_late),
      cmocka_unit_test(a_reply_without_end_is_late),
      cmocka_unit_test(a_flood_is_a_reply_that_says_nothing),
      cmocka_unit_test(one_player_does_not_hold_another),
      cmocka_unit_test(an_interrupt_ends_it),
      cmocka_unit_test(an_address_needs_a_port),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
