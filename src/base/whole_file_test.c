#include "base/whole_file.h"

#include "base/base_fixture.h"
#include "base/text.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* An empty folder for each test. */
typedef struct folder_fixture {
  arena *keep;
  char folder[64];
} folder_fixture;

static int make_folder(void **state) {
  arena *keep = arena_new();
  folder_fixture *f = arena_alloc_zero(keep, sizeof *f);
  f->keep = keep;
  strcpy(f->folder, "/tmp/whole-file-test-XXXXXX");
  *state = f;
  return mkdtemp(f->folder) ? 0 : -1;
}

static uint32_t count_files(const char *path, bool remove_them) {
  DIR *folder = opendir(path);
  uint32_t count = 0;
  for (struct dirent *entry; folder && (entry = readdir(folder));)
    if (entry->d_name[0] != '.') {
      count++;
      if (remove_them) unlinkat(dirfd(folder), entry->d_name, 0);
    }
  if (folder) closedir(folder);
  return count;
}

static int remove_folder(void **state) {
  folder_fixture *f = *state;
  count_files(f->folder, true);
  rmdir(f->folder);
  arena_free(f->keep);
  return 0;
}

static const char *path_of(folder_fixture *f, const char *name) {
  text path = text_new(f->keep);
  text_add_format(&path, "%s/%s", f->folder, name);
  return text_string(&path);
}

static bool write_words(folder_fixture *f, const char *path, const char *words) {
  whole_file w;
  if (!whole_file_begin(&w, path, f->keep)) return false;
  return whole_file_end(&w, fputs(words, w.file) >= 0);
}

static const char *words_of(folder_fixture *f, const char *path) {
  char words[256] = "";
  FILE *file = fopen(path, "r");
  if (!file) return NULL;
  const size_t length = fread(words, 1, sizeof words - 1, file);
  fclose(file);
  return arena_copy_text(f->keep, words, length);
}

static mode_t mode_of(const char *path) {
  struct stat s;
  assert_int_equal(lstat(path, &s), 0);
  return s.st_mode & 07777;
}

/* ---- cases ---- */

static void writes_a_new_file_as_the_umask_has_it(void **state) {
  folder_fixture *f = *state;
  const char *path = path_of(f, "new");
  const mode_t before = umask(027);
  assert_true(write_words(f, path, "words"));
  umask(before);
  assert_string_equal(words_of(f, path), "words");
  assert_int_equal(mode_of(path), 0640);
  assert_int_equal(count_files(f->folder, false), 1);
}

static void keeps_the_mode_of_a_file_that_was_there(void **state) {
  folder_fixture *f = *state;
  const char *path = path_of(f, "secret");
  assert_true(write_words(f, path, "old"));
  assert_int_equal(chmod(path, 0600), 0);
  assert_true(write_words(f, path, "new"));
  assert_string_equal(words_of(f, path), "new");
  assert_int_equal(mode_of(path), 0600);
}

static void leaves_the_old_file_where_the_new_one_is_not_complete(void **state) {
  folder_fixture *f = *state;
  const char *path = path_of(f, "kept");
  assert_true(write_words(f, path, "old"));
  whole_file w;
  assert_true(whole_file_begin(&w, path, f->keep));
  fputs("half", w.file);
  errno = ENOSPC;
  assert_false(whole_file_end(&w, false));
  assert_int_equal(errno, ENOSPC);
  assert_string_equal(words_of(f, path), "old");
  assert_int_equal(count_files(f->folder, false), 1);
}

static void shows_nothing_at_its_place_before_the_end(void **state) {
  folder_fixture *f = *state;
  const char *path = path_of(f, "late");
  whole_file w;
  assert_true(whole_file_begin(&w, path, f->keep));
  fputs("words", w.file);
  fflush(w.file);
  assert_int_not_equal(access(path, F_OK), 0);
  assert_true(whole_file_end(&w, true));
  assert_int_equal(access(path, F_OK), 0);
}

static void knows_what_is_left_where_it_is_not_ended(void **state) {
  folder_fixture *f = *state;
  const char *path = path_of(f, "left");
  whole_file w;
  assert_true(whole_file_begin(&w, path, f->keep));
  assert_true(whole_file_is_part(w.part + strlen(path)));
  assert_false(whole_file_end(&w, false));
  assert_false(whole_file_is_part(""));
  assert_false(whole_file_is_part(".txt"));
  assert_false(whole_file_is_part(".0123456789abcdef"));
  assert_false(whole_file_is_part(".0123456789abcdef.parts"));
  assert_false(whole_file_is_part(".0123456789abcdex.part"));
}

static void leaves_a_link_a_link(void **state) {
  folder_fixture *f = *state;
  const char *target = path_of(f, "target"), *link = path_of(f, "link");
  assert_true(write_words(f, target, "old"));
  assert_int_equal(symlink("target", link), 0);
  assert_true(write_words(f, link, "new"));
  assert_string_equal(words_of(f, target), "new");
  struct stat s;
  assert_true(lstat(link, &s) == 0 && S_ISLNK(s.st_mode));
}

static void says_why_it_cannot_write(void **state) {
  folder_fixture *f = *state;
  assert_false(write_words(f, path_of(f, "no/such/folder"), "words"));
  assert_int_equal(errno, ENOENT);
  assert_false(write_words(f, f->folder, "words"));
  assert_int_equal(errno, EISDIR);
  assert_int_equal(count_files(f->folder, false), 0);
}

static void tells_of_a_full_device(void **state) {
  folder_fixture *f = *state;
  assert_true(write_words(f, "/dev/null", "words"));
  if (access("/dev/full", W_OK) != 0) skip();
  assert_false(write_words(f, "/dev/full", "words"));
  assert_int_equal(errno, ENOSPC);
}

#define folder_test(name) cmocka_unit_test_setup_teardown(name, make_folder, remove_folder)

int main(void) {
  const struct CMUnitTest tests[] = {
      folder_test(writes_a_new_file_as_the_umask_has_it),
      folder_test(keeps_the_mode_of_a_file_that_was_there),
      folder_test(leaves_the_old_file_where_the_new_one_is_not_complete),
      folder_test(shows_nothing_at_its_place_before_the_end),
      folder_test(knows_what_is_left_where_it_is_not_ended),
      folder_test(leaves_a_link_a_link),
      folder_test(says_why_it_cannot_write),
      folder_test(tells_of_a_full_device),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
