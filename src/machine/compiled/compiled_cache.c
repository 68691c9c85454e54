#include "machine/compiled/compiled_cache.h"

#include "base/sha1.h"
#include "base/vec.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define LIBRARY_ENDING ".so"
#define PART_ENDING ".part"

#define DAY 86400.0

/* Some thousand games; an hour is more than any build takes. */
const cache_limits cache_limits_usual = {
    .bytes = (uint64_t)256 << 20, .unused_for = 60 * DAY, .begun_before = DAY / 24};

static bool is_ours(const struct stat *s) {
  return s->st_uid == geteuid() && !(s->st_mode & (S_IWGRP | S_IWOTH));
}

/* Makes the folder where it is missing, for us alone.  A symbolic link is not followed.  Others may
   not even look into it: whatever the umask, nobody can then open a file before it is finished. */
static bool is_safe_folder(const char *path) {
  struct stat s;
  if (mkdir(path, 0700) != 0 && errno != EEXIST) return false;
  if (lstat(path, &s) != 0 || !S_ISDIR(s.st_mode) || !is_ours(&s)) return false;
  return ((s.st_mode & 0777) == 0700 || chmod(path, 0700) == 0) && access(path, W_OK) == 0;
}

static const char *joined(arena *keep, const char *folder, const char *name) {
  text path = text_new(keep);
  text_add_format(&path, "%s/%s", folder, name);
  return text_string(&path);
}

/* ---- parts that were left behind ---- */

static bool ends_with(const char *name, const char *ending) {
  const size_t length = strlen(name);
  return length >= strlen(ending) && strcmp(name + length - strlen(ending), ending) == 0;
}

/* Forty digits, and an ending that we give: nothing else was put there by us. */
static bool is_our_name(const char *name, const char *ending) {
  return strspn(name, "0123456789abcdef") == SHA1_HEX_SIZE - 1 && ends_with(name, ending);
}

static bool look_at(DIR *folder, const char *name, struct stat *s) {
  return fstatat(dirfd(folder), name, s, AT_SYMLINK_NOFOLLOW) == 0;
}

/* In seconds, since it was last used or written to. */
static double age_of(const struct stat *s) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  return difftime(now.tv_sec, s->st_mtim.tv_sec) +
         (double)(now.tv_nsec - s->st_mtim.tv_nsec) * 1e-9;
}

static void remove_parts(DIR *folder, double begun_before) {
  for (struct dirent *entry; (entry = readdir(folder));) {
    struct stat s;
    if (!is_our_name(entry->d_name, PART_ENDING) || !look_at(folder, entry->d_name, &s)) continue;
    if (age_of(&s) > begun_before) unlinkat(dirfd(folder), entry->d_name, 0);
  }
}

static void remove_parts_left_behind(const char *path) {
  DIR *folder = opendir(path);
  if (!folder) return;
  remove_parts(folder, cache_limits_usual.begun_before);
  closedir(folder);
}

/* ---- the folder ---- */

/* The folder for all caches of the user; NULL: it is not known. */
static const char *cache_home(arena *keep) {
  const char *given = getenv("XDG_CACHE_HOME");
  if (given && *given == '/') return given;
  const char *home = getenv("HOME");
  return home && *home == '/' ? joined(keep, home, ".cache") : NULL;
}

bool compiled_cache_open(compiled_cache *c, arena *keep, diag_sink *d) {
  const char *home = cache_home(keep);
  *c = (compiled_cache){0};
  if (home) {
    if (mkdir(home, 0700) != 0 && errno != EEXIST)
      home = NULL;
    else
      c->folder = joined(keep, home, "tabia");
  }
  if (home && is_safe_folder(c->folder)) {
    remove_parts_left_behind(c->folder);
    return true;
  }
  const char *temporary = getenv("TMPDIR");
  char *made = arena_copy_text(
      keep, joined(keep, temporary && *temporary ? temporary : "/tmp", "tabia-XXXXXX"),
      strlen(temporary && *temporary ? temporary : "/tmp") + 13);
  c->folder = mkdtemp(made);
  c->is_passing = c->folder != NULL;
  if (c->folder) return true;
  diag_add(d, DIAG_E840, SPAN_NONE, "there is no folder to put a compiled game into: %s",
           strerror(errno));
  return false;
}

void compiled_cache_close(const compiled_cache *c) {
  if (!c->is_passing) return;
  DIR *folder = opendir(c->folder);
  for (struct dirent *entry; folder && (entry = readdir(folder));)
    unlinkat(dirfd(folder), entry->d_name, 0);
  if (folder) closedir(folder);
  rmdir(c->folder);
}

const char *compiled_cache_path(const compiled_cache *c, const text *whole, uint32_t level,
                                arena *keep) {
  sha1 s;
  char hex[SHA1_HEX_SIZE];
  sha1_init(&s);
  sha1_add(&s, whole->bytes, whole->length);
  sha1_hex(&s, hex);
  text path = text_new(keep);
  text_add_format(&path, "%s/%s-O%u" LIBRARY_ENDING, c->folder, hex, level);
  return text_string(&path);
}

const char *compiled_cache_begin(const char *path, arena *keep) {
  text name = text_new(keep);
  text_add_format(&name, "%s.XXXXXX" PART_ENDING, path);
  char *part = arena_copy_text(keep, name.bytes, name.length);
  const int file = mkostemps(part, (int)strlen(PART_ENDING), O_CLOEXEC);
  if (file < 0) return NULL;
  close(file);
  return part;
}

bool compiled_cache_finish(const char *part, const char *path) {
  if (chmod(part, 0700) == 0 && rename(part, path) == 0) return true;
  unlink(part);
  return false;
}

bool compiled_cache_has(const char *path) {
  struct stat s;
  if (lstat(path, &s) != 0 || !S_ISREG(s.st_mode) || !is_ours(&s) || s.st_size == 0) return false;
  utimensat(AT_FDCWD, path, NULL, AT_SYMLINK_NOFOLLOW);
  return true;
}

/* ---- pruning ---- */

typedef struct cached_file {
  const char *name;
  uint64_t bytes;
  double age; /* in seconds */
} cached_file;

typedef VEC(cached_file) cached_files;

static int compare_ages(const void *left, const void *right) {
  const double a = ((const cached_file *)left)->age;
  const double b = ((const cached_file *)right)->age;
  return (a > b) - (a < b);
}

static cached_files read_libraries(DIR *folder, arena *keep) {
  cached_files found = {0};
  for (struct dirent *entry; (entry = readdir(folder));) {
    struct stat s;
    if (!is_our_name(entry->d_name, LIBRARY_ENDING) || !look_at(folder, entry->d_name, &s))
      continue;
    const cached_file file = {arena_copy_text(keep, entry->d_name, strlen(entry->d_name)),
                              (uint64_t)s.st_size, age_of(&s)};
    vec_push(keep, &found, file);
  }
  return found;
}

void compiled_cache_prune(const compiled_cache *c, const cache_limits *limits) {
  DIR *folder = opendir(c->folder);
  if (!folder) return;
  remove_parts(folder, limits->begun_before);
  rewinddir(folder);
  arena *scratch = arena_new();
  const cached_files found = read_libraries(folder, scratch);
  if (found.count) qsort(found.items, found.count, sizeof *found.items, compare_ages);
  uint64_t bytes = 0;
  for (uint32_t i = 0; i < found.count; i++) {
    bytes += found.items[i].bytes;
    if (bytes > limits->bytes || found.items[i].age > limits->unused_for)
      unlinkat(dirfd(folder), found.items[i].name, 0);
  }
  arena_free(scratch);
  closedir(folder);
}
