/* What is written is found again; what is damaged, of another game or not finished is refused. */
#include "database/database.h"

#include "base/rng.h"
#include "base/whole_file.h"
#include "database/database_writer.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/base_fixture.h"

enum { KEYS = 20000, FINGERPRINT = 77 };

typedef struct database_fixture {
  arena *keep;
  char folder[64];
  diag_sink d;
  database_record *records;
  double values[6];
} database_fixture;

static int make_records(void **state) {
  arena *keep = arena_new();
  database_fixture *f = arena_alloc_zero(keep, sizeof *f);
  rng r = rng_new(3, 0);
  f->keep = keep;
  diag_sink_init(&f->d, keep);
  f->records = arena_zero_array(keep, database_record, KEYS);
  for (uint32_t i = 0; i < KEYS; i++)
    f->records[i] =
        (database_record){.key = {(UINT64_MAX / KEYS) * i + rng_below(&r, 1000), rng_next(&r)},
                          .value = (uint16_t)rng_below(&r, 3),
                          .steps = (uint16_t)rng_below(&r, 40)};
  for (uint32_t i = 0; i < 6; i++) f->values[i] = i * 10;
  strcpy(f->folder, "/tmp/database-test-XXXXXX");
  *state = f;
  return mkdtemp(f->folder) ? 0 : -1;
}

static int remove_all(void **state) {
  database_fixture *f = *state;
  static const char *const names[] = {"head", "index", "values", "steps"};
  for (uint32_t i = 0; i < 4; i++) unlink(database_path(f->folder, names[i], f->keep));
  rmdir(f->folder);
  arena_free(f->keep);
  return 0;
}

static uint32_t count_of_group(const database_fixture *f, uint32_t first, uint64_t groups) {
  const uint64_t group = group_of_key(f->records[first].key, groups);
  uint32_t count = 0;
  while (first + count < KEYS && group_of_key(f->records[first + count].key, groups) == group)
    count++;
  return count;
}

static bool write_group(database_writer *w, const database_group *g) {
  const uint8_t *bytes[DATABASE_COLUMNS];
  size_t sizes[DATABASE_COLUMNS];
  for (uint32_t i = 0; i < DATABASE_COLUMNS; i++) {
    bytes[i] = g->columns[i].items;
    sizes[i] = g->columns[i].count;
  }
  return database_writer_add(w, bytes, sizes);
}

static bool write_it(database_fixture *f, bool has_steps, bool is_complete) {
  database_writer w;
  const uint64_t groups = hash_groups(KEYS);
  const database_head head = {.fingerprint = FINGERPRINT,
                              .keys = KEYS,
                              .groups = groups,
                              .roles = 2,
                              .value_count = 3,
                              .has_steps = has_steps};
  bool ok = database_writer_begin(&w, f->folder, &head, f->keep, &f->d);
  for (uint32_t i = 0, count; ok && i < KEYS; i += count) {
    database_group g;
    count = count_of_group(f, i, groups);
    ok = database_group_build(&g, f->records + i, count, groups, has_steps, f->keep) &&
         write_group(&w, &g);
  }
  return database_writer_end(&w, f->values, ok && is_complete);
}

static bool can_be_opened(database_fixture *f, uint64_t fingerprint) {
  database b;
  const bool ok = database_open(&b, f->folder, fingerprint, f->keep, &f->d);
  database_close(&b);
  return ok;
}

static void every_key_has_its_value_and_steps(void **state) {
  database_fixture *f = *state;
  database b;
  assert_true(write_it(f, true, true));
  assert_true(database_open(&b, f->folder, FINGERPRINT, f->keep, &f->d));
  assert_int_equal(b.head.keys, KEYS);
  assert_true(b.values[5] == 50);
  for (uint32_t i = 0; i < KEYS; i++) {
    uint16_t value, steps;
    assert_int_equal(database_find(&b, f->records[i].key, &value, &steps), DATABASE_FOUND);
    assert_int_equal(value, f->records[i].value);
    assert_int_equal(steps, f->records[i].steps);
  }
  database_close(&b);
}

static void steps_may_be_left_out(void **state) {
  database_fixture *f = *state;
  database b;
  struct stat s;
  uint16_t value, steps = 9;
  assert_true(write_it(f, true, true) && write_it(f, false, true));
  assert_int_not_equal(stat(database_path(f->folder, "steps", f->keep), &s), 0);
  assert_true(database_open(&b, f->folder, FINGERPRINT, f->keep, &f->d));
  assert_int_equal(database_find(&b, f->records[1].key, &value, &steps), DATABASE_FOUND);
  assert_int_equal(steps, 9);
  database_close(&b);
}

static void the_order_of_records_does_not_matter(void **state) {
  database_fixture *f = *state;
  database_group a, b;
  const uint32_t count = 500;
  assert_true(database_group_build(&a, f->records, count, 1, true, f->keep));
  for (uint32_t i = 0; i < count / 2; i++) {
    const database_record it = f->records[i];
    f->records[i] = f->records[count - 1 - i];
    f->records[count - 1 - i] = it;
  }
  assert_true(database_group_build(&b, f->records, count, 1, true, f->keep));
  for (uint32_t i = 0; i < DATABASE_COLUMNS; i++) {
    assert_int_equal(a.columns[i].count, b.columns[i].count);
    assert_memory_equal(a.columns[i].items, b.columns[i].items, a.columns[i].count);
  }
}

static void another_game_is_refused(void **state) {
  database_fixture *f = *state;
  assert_true(write_it(f, true, true));
  assert_true(can_be_opened(f, FINGERPRINT));
  assert_false(can_be_opened(f, FINGERPRINT + 1));
  assert_non_null(strstr(f->d.all.items[0].message, "another game"));
}

static void what_is_not_finished_is_no_database(void **state) {
  database_fixture *f = *state;
  assert_true(write_it(f, true, true));
  assert_false(write_it(f, true, false));
  assert_false(can_be_opened(f, FINGERPRINT));
  assert_non_null(strstr(f->d.all.items[0].message, "no head"));
}

static void change_byte(database_fixture *f, const char *name, long at) {
  FILE *file = fopen(database_path(f->folder, name, f->keep), "r+b");
  assert_non_null(file);
  fseek(file, at, at < 0 ? SEEK_END : SEEK_SET);
  const int old = fgetc(file);
  fseek(file, -1, SEEK_CUR);
  fputc(old ^ 16, file);
  assert_int_equal(fclose(file), 0);
}

static void a_damaged_table_or_head_is_refused(void **state) {
  database_fixture *f = *state;
  static const char *const names[] = {"head", "index", "values", "steps"};
  for (uint32_t i = 0; i < 4; i++) {
    assert_true(write_it(f, true, true));
    change_byte(f, names[i], -9);
    assert_false(can_be_opened(f, FINGERPRINT));
  }
  assert_true(write_it(f, true, true));
  assert_int_equal(truncate(database_path(f->folder, "values", f->keep), 100), 0);
  assert_false(can_be_opened(f, FINGERPRINT));
}

static void a_damaged_group_is_found_when_it_is_read(void **state) {
  database_fixture *f = *state;
  static const char *const names[] = {"index", "values", "steps"};
  for (uint32_t i = 0; i < 3; i++) {
    database b;
    uint16_t value, steps;
    assert_true(write_it(f, true, true));
    change_byte(f, names[i], 20);
    assert_true(database_open(&b, f->folder, FINGERPRINT, f->keep, &f->d));
    assert_int_equal(database_find(&b, f->records[0].key, &value, &steps), DATABASE_DAMAGED);
    assert_int_equal(database_find(&b, f->records[KEYS - 1].key, &value, &steps), DATABASE_FOUND);
    database_close(&b);
  }
}

static void a_folder_that_cannot_be_made_is_told(void **state) {
  database_fixture *f = *state;
  database_writer w;
  const database_head head = {.groups = 1};
  assert_false(database_writer_begin(&w, "/proc/none/here", &head, f->keep, &f->d));
  assert_false(database_writer_end(&w, NULL, true));
  assert_int_equal(f->d.errors, 1);
}

static void a_folder_for_something_else_stays_as_it_is(void **state) {
  database_fixture *f = *state;
  const char *path = database_path(f->folder, "head", f->keep);
  assert_true(database_can_be_written(f->folder, &f->d));
  FILE *file = fopen(path, "wb");
  assert_true(file && fputs("to whom it may concern", file) >= 0 && fclose(file) == 0);
  assert_false(database_can_be_written(f->folder, &f->d));
  assert_false(write_it(f, true, true));
  assert_non_null(strstr(f->d.all.items[0].message, "something else"));
  struct stat s;
  assert_true(stat(path, &s) == 0 && s.st_size == 22);
}

#define folder_test(name) cmocka_unit_test_setup_teardown(name, make_records, remove_all)

int main(void) {
  const struct CMUnitTest tests[] = {
      folder_test(every_key_has_its_value_and_steps),
      folder_test(steps_may_be_left_out),
      folder_test(the_order_of_records_does_not_matter),
      folder_test(another_game_is_refused),
      folder_test(what_is_not_finished_is_no_database),
      folder_test(a_damaged_table_or_head_is_refused),
      folder_test(a_damaged_group_is_found_when_it_is_read),
      folder_test(a_folder_that_cannot_be_made_is_told),
      folder_test(a_folder_for_something_else_stays_as_it_is),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
