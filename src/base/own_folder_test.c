#include "base/own_folder.h"

#include "base/base_fixture.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* A folder in /tmp, and what is opened in it. */
typedef struct folder_fixture {
  arena *keep;
  own_folder temporary, top;
} folder_fixture;

static int make_top(void **state) {
  arena *keep = arena_new();
  folder_fixture *f = arena_alloc_zero(keep, sizeof *f);
  f->keep = keep;
  *state = f;
  if (!own_folder_open(&f->temporary, "/tmp", keep)) return -1;
  return own_folder_make(&f->top, &f->temporary, "own-folder-test", keep) ? 0 : -1;
}

static int remove_top(void **state) {
  folder_fixture *f = *state;
  own_folder_remove(&f->top, &f->temporary);
  own_folder_close(&f->top);
  own_folder_close(&f->temporary);
  arena_free(f->keep);
  return 0;
}

static mode_t mode_of(const char *path) {
  struct stat s;
  assert_int_equal(lstat(path, &s), 0);
  return s.st_mode & 07777;
}

static const char *inside(folder_fixture *f, const char *name) {
  return own_folder_path(&f->top, name, f->keep);
}

static bool opens(folder_fixture *f, const char *path) {
  own_folder o;
  const bool is_open = own_folder_open(&o, path, f->keep);
  if (is_open) own_folder_close(&o);
  return is_open;
}

static void a_new_folder_is_for_the_user_alone(void **state) {
  folder_fixture *f = *state;
  assert_int_equal(mode_of(f->top.path), 0700);
  assert_true(opens(f, f->top.path));
}

static void others_may_add_to_a_sticky_folder_only(void **state) {
  folder_fixture *f = *state;
  const char *below = inside(f, "below");
  assert_int_equal(mkdir(below, 0700), 0);
  assert_int_equal(chmod(f->top.path, 01777), 0);
  assert_true(opens(f, below));
  assert_int_equal(chmod(f->top.path, 0777), 0);
  assert_false(opens(f, below));
  assert_int_equal(errno, EPERM);
  assert_int_equal(chmod(f->top.path, 0770), 0);
  assert_false(opens(f, below));
  assert_int_equal(chmod(f->top.path, 0755), 0);
  assert_true(opens(f, below));
  rmdir(below);
}

/* Only root can give a folder to somebody else. */
static void a_folder_above_that_is_another_users_is_refused(void **state) {
  folder_fixture *f = *state;
  if (geteuid() != 0) skip();
  const char *below = inside(f, "below");
  assert_int_equal(mkdir(below, 0700), 0);
  assert_int_equal(chown(f->top.path, 12345, 12345), 0);
  assert_false(opens(f, below));
  assert_int_equal(errno, EPERM);
  rmdir(below);
}

static void links_are_resolved_before_they_are_judged(void **state) {
  folder_fixture *f = *state;
  assert_int_equal(mkdir(inside(f, "real"), 0700), 0);
  assert_int_equal(symlink("real", inside(f, "link")), 0);
  own_folder o;
  assert_true(own_folder_open(&o, inside(f, "link"), f->keep));
  assert_string_equal(o.path, inside(f, "real"));
  own_folder_close(&o);
  rmdir(inside(f, "real"));
}

static void a_link_in_place_of_the_folder_is_not_entered(void **state) {
  folder_fixture *f = *state;
  assert_int_equal(symlink("/tmp", inside(f, "cache")), 0);
  own_folder o;
  assert_false(own_folder_enter(&o, &f->top, "cache", f->keep));
}

static void entering_makes_the_folder_and_keeps_others_out(void **state) {
  folder_fixture *f = *state;
  own_folder o;
  assert_true(own_folder_enter(&o, &f->top, "cache", f->keep));
  own_folder_close(&o);
  assert_int_equal(chmod(inside(f, "cache"), 0755), 0);
  assert_true(own_folder_enter(&o, &f->top, "cache", f->keep));
  assert_int_equal(mode_of(o.path), 0700);
  own_folder_close(&o);
  assert_int_equal(chmod(inside(f, "cache"), 0777), 0);
  assert_false(own_folder_enter(&o, &f->top, "cache", f->keep));
  rmdir(inside(f, "cache"));
}

static void a_folder_goes_with_its_files(void **state) {
  folder_fixture *f = *state;
  own_folder o;
  assert_true(own_folder_make(&o, &f->top, "build", f->keep));
  const int file = openat(o.descriptor, "a.s", O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  assert_true(file >= 0);
  close(file);
  own_folder_remove(&o, &f->top);
  assert_int_not_equal(access(o.path, F_OK), 0);
  own_folder_close(&o);
}

#define folder_test(name) cmocka_unit_test_setup_teardown(name, make_top, remove_top)

int main(void) {
  const struct CMUnitTest tests[] = {
      folder_test(a_new_folder_is_for_the_user_alone),
      folder_test(others_may_add_to_a_sticky_folder_only),
      folder_test(a_folder_above_that_is_another_users_is_refused),
      folder_test(links_are_resolved_before_they_are_judged),
      folder_test(a_link_in_place_of_the_folder_is_not_entered),
      folder_test(entering_makes_the_folder_and_keeps_others_out),
      folder_test(a_folder_goes_with_its_files),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
