/* What is kept of compiled games, and for how long. */
#include "machine/compiled/compiled_cache.h"

#include "base/base_fixture.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* A cache in a folder of its own. */
typedef struct cache_fixture {
  arena *keep;
  own_folder temporary, home;
  compiled_cache cache;
} cache_fixture;

static compiled_cache opened(cache_fixture *f) {
  compiled_cache c;
  diag_sink d;
  diag_sink_init(&d, f->keep);
  assert_true(compiled_cache_open(&c, f->keep, &d));
  return c;
}

static int make_folder(void **state) {
  arena *keep = arena_new();
  cache_fixture *f = arena_alloc_zero(keep, sizeof *f);
  f->keep = keep;
  *state = f;
  if (!own_folder_open_temporary(&f->temporary, keep) ||
      !own_folder_make(&f->home, &f->temporary, "cache-test", keep) ||
      setenv("XDG_CACHE_HOME", f->home.path, 1) != 0)
    return -1;
  f->cache = opened(f);
  return f->cache.is_lasting ? 0 : -1;
}

static int drop_folder(void **state) {
  cache_fixture *f = *state;
  char command[200];
  compiled_cache_close(&f->cache);
  own_folder_close(&f->home);
  own_folder_close(&f->temporary);
  snprintf(command, sizeof command, "rm -rf '%s'", f->home.path);
  arena_free(f->keep);
  return system(command);
}

static const char *path_of(cache_fixture *f, const char *name) {
  return own_folder_path(&f->cache.folder, name, f->keep);
}

static bool is_there(cache_fixture *f, const char *name) {
  return access(path_of(f, name), F_OK) == 0;
}

static void set_age(cache_fixture *f, const char *name, time_t age) {
  struct timespec times[2];
  clock_gettime(CLOCK_REALTIME, &times[0]);
  times[0].tv_sec -= age;
  times[1] = times[0];
  assert_int_equal(utimensat(AT_FDCWD, path_of(f, name), times, 0), 0);
}

static void write_file(const char *path) {
  static const char bytes[1000];
  const int file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0755);
  assert_true(file >= 0);
  assert_int_equal(write(file, bytes, sizeof bytes), sizeof bytes);
  close(file);
}

/* A file of 1,000 bytes that was last used some seconds ago. */
static void put_file(cache_fixture *f, const char *name, time_t age) {
  write_file(path_of(f, name));
  set_age(f, name, age);
}

/* The folder of a build that was begun some seconds ago. */
static void put_build(cache_fixture *f, const char *name, time_t age) {
  text inner = text_new(f->keep);
  text_add_format(&inner, "%s/game.s", path_of(f, name));
  assert_int_equal(mkdir(path_of(f, name), 0700), 0);
  write_file(text_string(&inner));
  set_age(f, name, age);
}

/* As a compiler would: a library, and something on the way. */
static int build_library(cache_fixture *f, const char *name) {
  cache_build b;
  assert_true(compiled_cache_begin(&b, &f->cache, name, f->keep));
  write_file(b.output);
  write_file(own_folder_path(&b.folder, "game.s", f->keep));
  const int file = compiled_cache_finish(&b);
  compiled_cache_end(&b);
  assert_int_not_equal(access(b.folder.path, F_OK), 0);
  return file;
}

static bool finds(cache_fixture *f, const char *name) {
  const int file = compiled_cache_find(&f->cache, name);
  if (file >= 0) close(file);
  return file >= 0;
}

#define HASH(digit) digit "123456789abcdef0123456789abcdef01234567"
#define FIRST HASH("0") "-O1.so"
#define SECOND HASH("1") "-O1.so"
#define THIRD HASH("2") "-O3.so"

static void what_is_long_unused_goes(void **state) {
  cache_fixture *f = *state;
  put_file(f, FIRST, 5);
  put_file(f, SECOND, 500);
  compiled_cache_prune(&f->cache, &(cache_limits){1 << 20, 100, 100});
  assert_true(is_there(f, FIRST));
  assert_false(is_there(f, SECOND));
}

static void the_least_recently_used_go_first(void **state) {
  cache_fixture *f = *state;
  put_file(f, FIRST, 30);
  put_file(f, SECOND, 10);
  put_file(f, THIRD, 20);
  compiled_cache_prune(&f->cache, &(cache_limits){2500, 100, 100});
  assert_false(is_there(f, FIRST));
  assert_true(is_there(f, SECOND));
  assert_true(is_there(f, THIRD));
}

static void loading_counts_as_use(void **state) {
  cache_fixture *f = *state;
  close(build_library(f, FIRST));
  set_age(f, FIRST, 500);
  assert_true(finds(f, FIRST));
  compiled_cache_prune(&f->cache, &(cache_limits){1 << 20, 100, 100});
  assert_true(is_there(f, FIRST));
}

static void builds_that_nobody_finished_go(void **state) {
  cache_fixture *f = *state;
  put_build(f, FIRST ".part.abcdef", 500);
  put_build(f, SECOND ".part.abcdef", 5);
  compiled_cache_prune(&f->cache, &(cache_limits){1 << 20, 1000, 100});
  assert_false(is_there(f, FIRST ".part.abcdef"));
  assert_true(is_there(f, SECOND ".part.abcdef"));
}

static void files_of_others_stay(void **state) {
  cache_fixture *f = *state;
  put_file(f, "notes.so", 500);
  put_file(f, "letter.part", 500);
  compiled_cache_prune(&f->cache, &(cache_limits){0, 100, 100});
  assert_true(is_there(f, "notes.so"));
  assert_true(is_there(f, "letter.part"));
}

static void two_builds_of_one_game_do_not_meet(void **state) {
  cache_fixture *f = *state;
  cache_build one, two;
  assert_true(compiled_cache_begin(&one, &f->cache, FIRST, f->keep));
  assert_true(compiled_cache_begin(&two, &f->cache, FIRST, f->keep));
  assert_string_not_equal(one.output, two.output);
  compiled_cache_end(&one);
  compiled_cache_end(&two);
}

static void a_library_is_the_users_alone(void **state) {
  cache_fixture *f = *state;
  const int file = build_library(f, FIRST);
  struct stat s;
  assert_int_equal(fstat(file, &s), 0);
  assert_int_equal(s.st_mode & 0777, 0600);
  close(file);
  assert_true(finds(f, FIRST));
  assert_int_equal(chmod(path_of(f, FIRST), 0620), 0);
  assert_false(finds(f, FIRST));
}

/* Whatever byte it is, the checksum itself too; and what lacks its end. */
static void a_damaged_library_is_not_found(void **state) {
  cache_fixture *f = *state;
  const int file = build_library(f, FIRST);
  struct stat s;
  assert_int_equal(fstat(file, &s), 0);
  for (off_t at = 0; at < s.st_size; at += at < 990 ? 90 : 1) {
    char byte;
    assert_int_equal(pread(file, &byte, 1, at), 1);
    assert_int_equal(pwrite(file, &(char){(char)(byte ^ 4)}, 1, at), 1);
    assert_false(finds(f, FIRST));
    assert_int_equal(pwrite(file, &byte, 1, at), 1);
  }
  assert_true(finds(f, FIRST));
  assert_int_equal(ftruncate(file, s.st_size - 1), 0);
  assert_false(finds(f, FIRST));
  assert_int_equal(ftruncate(file, 0), 0);
  assert_false(finds(f, FIRST));
  close(file);
}

static void a_link_is_not_followed(void **state) {
  cache_fixture *f = *state;
  close(build_library(f, FIRST));
  assert_int_equal(symlink(FIRST, path_of(f, SECOND)), 0);
  assert_false(finds(f, SECOND));
}

static void others_cannot_look_into_the_folder(void **state) {
  cache_fixture *f = *state;
  struct stat s;
  assert_int_equal(chmod(f->cache.folder.path, 0755), 0);
  compiled_cache c = opened(f);
  assert_true(c.is_lasting);
  assert_int_equal(stat(c.folder.path, &s), 0);
  assert_int_equal(s.st_mode & 0777, 0700);
  compiled_cache_close(&c);
}

/* Somebody who may write to the folder above can put another one in its place. */
static void nothing_is_kept_where_others_may_write_above(void **state) {
  cache_fixture *f = *state;
  assert_int_equal(chmod(f->home.path, 0777), 0);
  compiled_cache c = opened(f);
  assert_false(c.is_lasting);
  assert_string_equal(c.folder.path, f->temporary.path);
  assert_int_equal(compiled_cache_find(&c, FIRST), -1);
  compiled_cache_close(&c);
}

static void what_is_not_kept_leaves_nothing_behind(void **state) {
  cache_fixture *f = *state;
  compiled_cache_close(&f->cache);
  assert_int_equal(chmod(f->home.path, 0777), 0);
  f->cache = opened(f);
  const int file = build_library(f, FIRST);
  assert_true(file >= 0);
  close(file);
  assert_false(is_there(f, FIRST));
}

static void opening_removes_builds_that_were_left_behind(void **state) {
  cache_fixture *f = *state;
  const time_t hour = 3600;
  put_build(f, FIRST ".part.abcdef", 2 * hour);
  put_build(f, SECOND ".part.abcdef", hour / 2);
  put_build(f, "letter.part", 2 * hour);
  put_file(f, THIRD, 2 * hour);
  compiled_cache c = opened(f);
  assert_false(is_there(f, FIRST ".part.abcdef"));
  assert_true(is_there(f, SECOND ".part.abcdef"));
  assert_true(is_there(f, THIRD));
  assert_true(is_there(f, "letter.part"));
  compiled_cache_close(&c);
}

#define cache_test(name) cmocka_unit_test_setup_teardown(name, make_folder, drop_folder)

int main(void) {
  const struct CMUnitTest tests[] = {
      cache_test(what_is_long_unused_goes),
      cache_test(the_least_recently_used_go_first),
      cache_test(loading_counts_as_use),
      cache_test(builds_that_nobody_finished_go),
      cache_test(files_of_others_stay),
      cache_test(two_builds_of_one_game_do_not_meet),
      cache_test(a_library_is_the_users_alone),
      cache_test(a_damaged_library_is_not_found),
      cache_test(a_link_is_not_followed),
      cache_test(others_cannot_look_into_the_folder),
      cache_test(nothing_is_kept_where_others_may_write_above),
      cache_test(what_is_not_kept_leaves_nothing_behind),
      cache_test(opening_removes_builds_that_were_left_behind),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
