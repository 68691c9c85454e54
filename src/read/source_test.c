#include "read/read_fixture.h"

#include <stdlib.h>
#include <unistd.h>

static void use(read_fixture *f, const char *words) {
  f->s = source_of("test", words, (uint32_t)strlen(words));
  source_index_lines(&f->s, f->keep);
}

static void assert_place(read_fixture *f, uint32_t offset, uint32_t line, uint32_t column) {
  const place at = source_place(&f->s, offset);
  assert_int_equal(at.line, line);
  assert_int_equal(at.column, column);
}

static void lines_end_with_lf_crlf_or_cr(void **state) {
  read_fixture *f = *state;
  use(f, "a\nbc\r\nd\re");
  assert_int_equal(f->s.line_count, 4);
  assert_place(f, 0, 1, 1);
  assert_place(f, 3, 2, 2);
  assert_place(f, 6, 3, 1);
  assert_place(f, 8, 4, 1);
  assert_true(slice_equals(source_line(&f->s, 2), "bc"));
  assert_true(slice_equals(source_line(&f->s, 4), "e"));
}

static void columns_count_characters(void **state) {
  read_fixture *f = *state;
  use(f, "\xc3\xa9\xe2\x82\xac\xf0\x9f\x8e\xb2x\xff\xffy");
  assert_place(f, 9, 1, 4);
  assert_place(f, 12, 1, 7);
}

/* An e with an accent has two bytes, a chess piece three, a smile four and two units of UTF-16. */
static void columns_in_bytes_characters_and_utf16(void **state) {
  read_fixture *f = *state;
  use(f, "x\n\xc3\xa9\xe2\x99\x94\xf0\x9f\x98\x80\xff!");
  const struct {
    uint32_t offset, bytes, column, utf16;
  } cases[] = {{2, 1, 1, 1},   {4, 3, 2, 2},   {7, 6, 3, 3},  {9, 8, 3, 3},
               {11, 10, 4, 5}, {12, 11, 5, 6}, {13, 12, 6, 7}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const place at = source_place(&f->s, cases[i].offset);
    assert_int_equal(at.line, 2);
    assert_int_equal(at.bytes, cases[i].bytes);
    assert_int_equal(at.column, cases[i].column);
    assert_int_equal(at.utf16, cases[i].utf16);
  }
}

/* Every offset of a long line, against counting from its start. */
static void long_lines_are_not_counted_from_their_start(void **state) {
  read_fixture *f = *state;
  text words = text_new(f->keep);
  for (uint32_t i = 0; i < 3000; i++)
    text_add(&words, i % 7 == 3    ? "\xe2\x99\x94"
                     : i % 5 == 1  ? "\xf0\x9f\x98\x80"
                     : i % 11 == 0 ? "\xff"
                                   : "a");
  use(f, text_string(&words));
  uint32_t column = 1, utf16 = 1;
  for (uint32_t at = 0; at < f->s.length;) {
    const uint32_t length = utf8_length(f->s.bytes + at, f->s.bytes + f->s.length);
    const uint32_t next = at + (length ? length : 1);
    for (; at < next; at++) {
      assert_int_equal(source_place(&f->s, at).column, column);
      assert_int_equal(source_place(&f->s, at).utf16, utf16);
    }
    column++;
    utf16 += length == 4 ? 2 : 1;
  }
}

static void a_byte_order_mark_has_no_column(void **state) {
  read_fixture *f = *state;
  use(f, "\xef\xbb\xbf"
         "ab\nc");
  assert_place(f, 0, 1, 1);
  assert_place(f, 3, 1, 1);
  assert_place(f, 4, 1, 2);
  assert_place(f, 6, 2, 1);
  assert_int_equal(source_line(&f->s, 1).length, 2);
}

static void a_place_behind_the_end_is_the_end(void **state) {
  read_fixture *f = *state;
  use(f, "ab\n");
  assert_place(f, 3, 2, 1);
  assert_place(f, UINT32_MAX, 2, 1);
  use(f, "");
  assert_place(f, 0, 1, 1);
}

static void tells_utf8_from_other_bytes(void **state) {
  (void)state;
  static const struct {
    const char *bytes;
    uint32_t length;
  } cases[] = {{"a", 1},
               {"\xc3\xa9", 2},
               {"\xe2\x82\xac", 3},
               {"\xf0\x9f\x8e\xb2", 4},
               {"\x80", 0},
               {"\xc0\xaf", 0},
               {"\xc3", 0},
               {"\xe0\x80\x80", 0},
               {"\xed\xa0\x80", 0},
               {"\xf4\x90\x80\x80", 0},
               {"\xff", 0}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    assert_int_equal(utf8_length(cases[i].bytes, cases[i].bytes + strlen(cases[i].bytes)),
                     cases[i].length);
}

static void loads_a_file_with_any_bytes(void **state) {
  read_fixture *f = *state;
  char path[] = "/tmp/tabia_source_XXXXXX";
  const int file = mkstemp(path);
  assert_int_equal(write(file, "a\0b\n", 4), 4);
  close(file);
  assert_true(source_load(&f->s, path, f->keep, &f->d));
  unlink(path);
  assert_int_equal(f->s.length, 4);
  assert_memory_equal(f->s.bytes, "a\0b\n", 5);
}

static void says_why_a_file_cannot_be_read(void **state) {
  read_fixture *f = *state;
  assert_false(source_load(&f->s, "/", f->keep, &f->d));
  assert_string_equal(f->d.all.items[0].message, "cannot read /: it is a directory");
  assert_false(source_load(&f->s, "no/such/file", f->keep, &f->d));
  assert_string_equal(f->d.all.items[1].message,
                      "cannot read no/such/file: No such file or directory");
  assert_int_equal(f->d.all.items[1].kind, DIAG_E701);
  assert_int_equal(f->d.errors, 2);
}

static void refuses_a_file_of_four_gigabytes(void **state) {
  read_fixture *f = *state;
  char path[] = "/tmp/tabia_source_XXXXXX";
  const int file = mkstemp(path);
  const int sized = ftruncate(file, (off_t)1 << 32); /* takes no room on the disk */
  close(file);
  const bool loaded = sized == 0 && source_load(&f->s, path, f->keep, &f->d);
  unlink(path);
  if (sized != 0) skip();
  assert_false(loaded);
  assert_int_equal(f->d.all.items[0].kind, DIAG_E112);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      a_test(lines_end_with_lf_crlf_or_cr),
      a_test(columns_count_characters),
      a_test(columns_in_bytes_characters_and_utf16),
      a_test(long_lines_are_not_counted_from_their_start),
      a_test(a_byte_order_mark_has_no_column),
      a_test(a_place_behind_the_end_is_the_end),
      a_test(tells_utf8_from_other_bytes),
      a_test(loads_a_file_with_any_bytes),
      a_test(says_why_a_file_cannot_be_read),
      a_test(refuses_a_file_of_four_gigabytes),
  };
  return cmocka_run_group_tests_name("source", tests, NULL, NULL);
}
