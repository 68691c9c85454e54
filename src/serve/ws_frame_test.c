#include "serve/ws_frame.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { MOST = 1000 };

static arena *keep;

static int set_up(void **state) {
  (void)state;
  keep = arena_new();
  return 0;
}

static int tear_down(void **state) {
  (void)state;
  arena_free(keep);
  return 0;
}

/* A frame of a client, masked by "abcd". */
static text masked(uint8_t first, const char *payload, size_t length) {
  text t = text_new(keep);
  text_add_char(&t, (char)first);
  text_add_char(&t, (char)(0x80 | (length < 126 ? length : 126)));
  if (length >= 126) {
    text_add_char(&t, (char)(length >> 8));
    text_add_char(&t, (char)(length & 0xff));
  }
  text_add(&t, "abcd");
  for (size_t i = 0; i < length; i++) text_add_char(&t, (char)(payload[i] ^ "abcd"[i % 4]));
  return t;
}

static ws_progress progress_of(text *t) {
  ws_frame f;
  return ws_frame_read(&f, t->bytes, t->length, MOST);
}

static void unmasks_what_a_client_sends(void **state) {
  (void)state;
  ws_frame f;
  text t = masked(0x81, "hello", 5);
  assert_int_equal(ws_frame_read(&f, t.bytes, t.length, MOST), WS_WHOLE);
  assert_int_equal(f.code, WS_TEXT);
  assert_true(f.is_last);
  assert_int_equal(f.size, t.length);
  assert_int_equal(f.length, 5);
  assert_memory_equal(f.bytes, "hello", 5);
}

static void reads_lengths_of_two_bytes(void **state) {
  (void)state;
  ws_frame f;
  char payload[300];
  memset(payload, 'x', sizeof payload);
  text t = masked(0x01, payload, sizeof payload);
  assert_int_equal(ws_frame_read(&f, t.bytes, t.length, MOST), WS_WHOLE);
  assert_false(f.is_last);
  assert_int_equal(f.length, 300);
  assert_memory_equal(f.bytes, payload, 300);
}

static void any_beginning_of_a_frame_asks_for_more(void **state) {
  (void)state;
  ws_frame f;
  text t = masked(0x81, "hello", 5);
  for (size_t i = 0; i < t.length; i++)
    assert_int_equal(ws_frame_read(&f, t.bytes, i, MOST), WS_MORE);
}

static void a_frame_that_is_not_masked_is_broken(void **state) {
  (void)state;
  char bytes[] = "\x81\x02hi";
  ws_frame f;
  assert_int_equal(ws_frame_read(&f, bytes, 4, MOST), WS_BROKEN);
}

static void reserved_bits_and_codes_are_broken(void **state) {
  (void)state;
  text bits = masked(0xc1, "x", 1), code = masked(0x83, "x", 1), high = masked(0x8b, "x", 1);
  assert_int_equal(progress_of(&bits), WS_BROKEN);
  assert_int_equal(progress_of(&code), WS_BROKEN);
  assert_int_equal(progress_of(&high), WS_BROKEN);
}

static void control_frames_are_short_and_whole(void **state) {
  (void)state;
  char payload[126] = {0};
  text cut = masked(0x09, "x", 1), ping = masked(0x89, "x", 1);
  text wide = masked(0x89, payload, sizeof payload);
  assert_int_equal(progress_of(&ping), WS_WHOLE);
  assert_int_equal(progress_of(&cut), WS_BROKEN);
  assert_int_equal(progress_of(&wide), WS_BROKEN);
}

static void a_length_over_the_limit_is_told_before_it_comes(void **state) {
  (void)state;
  char two[] = "\x81\xfe\x03\xe9\0\0\0\0",
       eight[] = "\x81\xff\xff\xff\xff\xff\xff\xff\xff\xff\0\0\0\0";
  ws_frame f;
  assert_int_equal(ws_frame_read(&f, two, 8, MOST), WS_TOO_LONG);
  assert_int_equal(ws_frame_read(&f, eight, 14, MOST), WS_TOO_LONG);
}

static void writes_each_kind_of_length(void **state) {
  (void)state;
  static char payload[70000];
  text a = text_new(keep), b = text_new(keep), c = text_new(keep);
  ws_frame_add(&a, WS_TEXT, (slice){"hi", 2});
  ws_frame_add(&b, WS_TEXT, (slice){payload, 126});
  ws_frame_add(&c, WS_TEXT, (slice){payload, sizeof payload});
  assert_memory_equal(a.bytes, "\x81\x02hi", 4);
  assert_int_equal(a.length, 4);
  assert_memory_equal(b.bytes, "\x81\x7e\x00\x7e", 4);
  assert_int_equal(b.length, 4 + 126);
  assert_memory_equal(c.bytes, "\x81\x7f\0\0\0\0\0\x01\x11\x70", 10);
  assert_int_equal(c.length, 10 + sizeof payload);
}

/* The example of RFC 6455, section 1.3. */
static void answers_the_key_of_the_standard(void **state) {
  (void)state;
  char accept[WS_ACCEPT_SIZE];
  ws_accept_key(slice_of("dGhlIHNhbXBsZSBub25jZQ=="), accept);
  assert_string_equal(accept, "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(unmasks_what_a_client_sends),
      cmocka_unit_test(reads_lengths_of_two_bytes),
      cmocka_unit_test(any_beginning_of_a_frame_asks_for_more),
      cmocka_unit_test(a_frame_that_is_not_masked_is_broken),
      cmocka_unit_test(reserved_bits_and_codes_are_broken),
      cmocka_unit_test(control_frames_are_short_and_whole),
      cmocka_unit_test(a_length_over_the_limit_is_told_before_it_comes),
      cmocka_unit_test(writes_each_kind_of_length),
      cmocka_unit_test(answers_the_key_of_the_standard),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
