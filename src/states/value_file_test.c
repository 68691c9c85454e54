/* Files of values: what was written is read, and what is damaged is turned down. */
#include "states/value_file.h"

#include "base/account.h"
#include "base/recovery.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

enum { STATES = 5, FIRST_PIECE = 32 /* bytes before it */, COUNT_AT = FIRST_PIECE + 12 };

typedef struct value_fixture {
  arena *keep;
  diag_sink d;
  char folder[32];
  checkpoint c;
  uint32_t pieces; /* that were taken */
  bool is_wanted;  /* a piece is one of this job */
} value_fixture;

static int set_up(void **state) {
  value_fixture *f = *state = test_calloc(1, sizeof *f);
  const exchange alone = exchange_alone();
  f->keep = arena_new();
  diag_sink_init(&f->d, f->keep);
  snprintf(f->folder, sizeof f->folder, "/tmp/value-file-test-XXXXXX");
  assert_non_null(mkdtemp(f->folder));
  f->is_wanted = true;
  const checkpoint_wish wish = {f->folder, 0};
  assert_true(checkpoint_open(&f->c, wish, 7, 1, ranks_new(&alone, f->keep), f->keep, &f->d));
  uint8_t codes[STATES] = {1, 2, 3, VALUE_CODE_OPEN, 0}, *levels[] = {codes};
  uint16_t steps[STATES] = {0, 10, 20, 65535, 1}, *step_levels[] = {steps};
  piece_vec pieces = {0};
  vec_push(f->keep, &pieces, ((value_piece){0, 0, 0, STATES}));
  const value_columns columns = {levels, step_levels};
  assert_true(value_file_write(&f->c, 0, &pieces, &columns));
  return 0;
}

static const char *path_of(const value_fixture *f) {
  return checkpoint_path(&f->c, CHECKPOINT_VALUES, 0);
}

static int tear_down(void **state) {
  value_fixture *f = *state;
  unlink(path_of(f));
  rmdir(f->folder);
  ranks_free(f->c.r);
  arena_free(f->keep);
  test_free(f);
  return 0;
}

static bool take(void *context, const value_piece *p, const uint8_t *codes, const uint16_t *steps) {
  value_fixture *f = context;
  assert_int_equal(p->count, STATES);
  assert_int_equal(codes[2], 3);
  assert_int_equal(steps[2], 20);
  f->pieces++;
  return f->is_wanted;
}

static bool can_be_read(value_fixture *f) { return value_file_read(&f->c, 0, 0, 1, take, f); }

static void change_byte(const value_fixture *f, long at, uint8_t change) {
  FILE *file = fopen(path_of(f), "r+b");
  assert_non_null(file);
  assert_int_equal(fseek(file, at, SEEK_SET), 0);
  const int old = fgetc(file);
  assert_int_equal(fseek(file, at, SEEK_SET), 0);
  assert_int_not_equal(fputc(old ^ change, file), EOF);
  assert_int_equal(fclose(file), 0);
}

static void what_was_written_is_read(void **state) {
  value_fixture *f = *state;
  assert_true(can_be_read(f));
  assert_int_equal(f->pieces, 1);
}

static void any_byte_that_changed_is_found(void **state) {
  value_fixture *f = *state;
  struct stat s;
  assert_int_equal(stat(path_of(f), &s), 0);
  for (long at = 0; at < s.st_size; at++) {
    change_byte(f, at, 0x20);
    if (can_be_read(f)) fail_msg("byte %ld", at);
    change_byte(f, at, 0x20);
  }
  assert_true(can_be_read(f));
}

static void read_damaged(void *context) { assert_false(can_be_read(context)); }

/* Twelve billion bytes would be asked for, of a file of some hundred. */
static void room_is_made_for_what_the_file_can_hold(void **state) {
  value_fixture *f = *state;
  account *little = account_new(1 << 20);
  for (long i = 0; i < 4; i++) change_byte(f, COUNT_AT + i, 0xff);
  assert_true(recovery_try_for(little, NULL, read_damaged, f));
  account_let_go(little);
}

static void a_file_that_was_cut_is_turned_down(void **state) {
  value_fixture *f = *state;
  struct stat s;
  assert_int_equal(stat(path_of(f), &s), 0);
  for (off_t size = s.st_size; size-- > 0;) {
    assert_int_equal(truncate(path_of(f), size), 0);
    assert_false(can_be_read(f));
  }
}

static void whoever_takes_pieces_may_turn_them_down(void **state) {
  value_fixture *f = *state;
  f->is_wanted = false;
  assert_false(can_be_read(f));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(what_was_written_is_read, set_up, tear_down),
      cmocka_unit_test_setup_teardown(any_byte_that_changed_is_found, set_up, tear_down),
      cmocka_unit_test_setup_teardown(room_is_made_for_what_the_file_can_hold, set_up, tear_down),
      cmocka_unit_test_setup_teardown(a_file_that_was_cut_is_turned_down, set_up, tear_down),
      cmocka_unit_test_setup_teardown(whoever_takes_pieces_may_turn_them_down, set_up, tear_down),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
