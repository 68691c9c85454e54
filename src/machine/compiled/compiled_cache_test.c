/* What is kept of compiled games, and for how long. */
#include "machine/compiled/compiled_cache.h"

#include "base/base_fixture.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

typedef struct cache_fixture {
  char folder[64];
  compiled_cache cache;
  arena *keep;
} cache_fixture;

static int make_folder(void **state) {
  cache_fixture *f = test_calloc(1, sizeof *f);
  strcpy(f->folder, "/tmp/tabia-test-XXXXXX");
  f->keep = arena_new();
  *state = f;
  f->cache.folder = mkdtemp(f->folder);
  return f->cache.folder ? 0 : -1;
}

static int drop_folder(void **state) {
  cache_fixture *f = *state;
  f->cache.is_passing = true;
  compiled_cache_close(&f->cache);
  arena_free(f->keep);
  test_free(f);
  return 0;
}

static const char *path_of(cache_fixture *f, const char *name) {
  text path = text_new(f->keep);
  text_add_format(&path, "%s/%s", f->folder, name);
  return text_string(&path);
}

static bool is_there(cache_fixture *f, const char *name) {
  return access(path_of(f, name), F_OK) == 0;
}

/* A file of 1,000 bytes that was last used some seconds ago. */
static void put_file(cache_fixture *f, const char *name, time_t age) {
  static const char bytes[1000];
  const int file = open(path_of(f, name), O_WRONLY | O_CREAT | O_CLOEXEC, 0700);
  assert_true(file >= 0);
  assert_int_equal(write(file, bytes, sizeof bytes), sizeof bytes);
  struct timespec times[2];
  clock_gettime(CLOCK_REALTIME, &times[0]);
  times[0].tv_sec -= age;
  times[1] = times[0];
  assert_int_equal(futimens(file, times), 0);
  close(file);
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
  put_file(f, FIRST, 500);
  assert_true(compiled_cache_has(path_of(f, FIRST)));
  compiled_cache_prune(&f->cache, &(cache_limits){1 << 20, 100, 100});
  assert_true(is_there(f, FIRST));
}

static void parts_that_nobody_finished_go(void **state) {
  cache_fixture *f = *state;
  put_file(f, FIRST ".abcdef.part", 500);
  put_file(f, SECOND ".abcdef.part", 5);
  compiled_cache_prune(&f->cache, &(cache_limits){1 << 20, 1000, 100});
  assert_false(is_there(f, FIRST ".abcdef.part"));
  assert_true(is_there(f, SECOND ".abcdef.part"));
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
  const char *one = compiled_cache_begin(path_of(f, FIRST), f->keep);
  const char *two = compiled_cache_begin(path_of(f, FIRST), f->keep);
  assert_non_null(one);
  assert_non_null(two);
  assert_string_not_equal(one, two);
  assert_true(compiled_cache_finish(one, path_of(f, FIRST)));
  struct stat s;
  assert_int_equal(stat(path_of(f, FIRST), &s), 0);
  assert_int_equal(s.st_mode & 0777, 0700);
}

/* Opens the cache that lies in the folder `tabia` of the fixture's. */
static compiled_cache opened(cache_fixture *f) {
  compiled_cache c;
  diag_sink d;
  diag_sink_init(&d, f->keep);
  assert_int_equal(setenv("XDG_CACHE_HOME", f->folder, 1), 0);
  assert_true(compiled_cache_open(&c, f->keep, &d));
  assert_false(c.is_passing);
  return c;
}

static void others_cannot_look_into_the_folder(void **state) {
  cache_fixture *f = *state;
  assert_int_equal(mkdir(path_of(f, "tabia"), 0755), 0);
  const compiled_cache c = opened(f);
  struct stat s;
  assert_int_equal(stat(c.folder, &s), 0);
  assert_int_equal(s.st_mode & 0777, 0700);
  assert_int_equal(rmdir(c.folder), 0);
}

static void opening_removes_parts_that_were_left_behind(void **state) {
  cache_fixture *f = *state;
  const time_t hour = 3600;
  assert_int_equal(mkdir(path_of(f, "tabia"), 0700), 0);
  put_file(f, "tabia/" FIRST ".abcdef.part", 2 * hour);
  put_file(f, "tabia/" SECOND ".abcdef.part", hour / 2);
  put_file(f, "tabia/" THIRD, 2 * hour);
  put_file(f, "tabia/letter.part", 2 * hour);
  compiled_cache c = opened(f);
  assert_false(is_there(f, "tabia/" FIRST ".abcdef.part"));
  assert_true(is_there(f, "tabia/" SECOND ".abcdef.part"));
  assert_true(is_there(f, "tabia/" THIRD));
  assert_true(is_there(f, "tabia/letter.part"));
  c.is_passing = true; /* so that closing removes it */
  compiled_cache_close(&c);
}

#define cache_test(name) cmocka_unit_test_setup_teardown(name, make_folder, drop_folder)

int main(void) {
  const struct CMUnitTest tests[] = {
      cache_test(what_is_long_unused_goes),
      cache_test(the_least_recently_used_go_first),
      cache_test(loading_counts_as_use),
      cache_test(parts_that_nobody_finished_go),
      cache_test(files_of_others_stay),
      cache_test(two_builds_of_one_game_do_not_meet),
      cache_test(others_cannot_look_into_the_folder),
      cache_test(opening_removes_parts_that_were_left_behind),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
