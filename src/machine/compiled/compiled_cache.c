#include "machine/compiled/compiled_cache.h"

#include "base/hash.h"
#include "base/sha1.h"
#include "base/vec.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define LIBRARY_ENDING ".so"
#define BUILD_MARK ".part" /* in the name of a folder in which one is built */
#define OUTPUT_NAME "game" LIBRARY_ENDING

#define DAY 86400.0

/* Some thousand games; an hour is more than any build takes. */
const cache_limits cache_limits_usual = {
    .bytes = (uint64_t)256 << 20, .unused_for = 60 * DAY, .begun_before = DAY / 24};

/* ---- checksums ---- */

/* Behind the bytes of each library, where the dynamic linker does not look. */
typedef struct library_end {
  char magic[8];
  uint64_t hash; /* of all bytes before it */
} library_end;

static const char library_magic[8] = {'t', 'a', 'b', 'i', 'a', '-', 's', 'o'};

/* Hashes the first bytes of a file.  False: they cannot be read. */
static bool hash_file(int file, size_t length, uint64_t *hash) {
  void *bytes = mmap(NULL, length, PROT_READ, MAP_PRIVATE, file, 0);
  if (bytes == MAP_FAILED) return false;
  *hash = hash_bytes(bytes, length);
  munmap(bytes, length);
  return true;
}

static bool add_checksum(int file) {
  struct stat s;
  library_end end;
  memcpy(end.magic, library_magic, sizeof end.magic);
  if (fstat(file, &s) != 0 || s.st_size == 0) return false;
  if (!hash_file(file, (size_t)s.st_size, &end.hash)) return false;
  return pwrite(file, &end, sizeof end, s.st_size) == sizeof end;
}

static bool is_undamaged(int file, off_t size) {
  library_end end;
  uint64_t hash;
  const off_t length = size - (off_t)sizeof end;
  if (length <= 0 || pread(file, &end, sizeof end, length) != sizeof end) return false;
  if (memcmp(end.magic, library_magic, sizeof end.magic) != 0) return false;
  return hash_file(file, (size_t)length, &hash) && hash == end.hash;
}

/* ---- what lies in the folder ---- */

/* Forty digits, as a name of ours begins. */
static bool has_our_digits(const char *name) {
  return strspn(name, "0123456789abcdef") == SHA1_HEX_SIZE - 1;
}

static bool is_library_name(const char *name) {
  const size_t length = strlen(name), ending = strlen(LIBRARY_ENDING);
  return has_our_digits(name) && strcmp(name + length - ending, LIBRARY_ENDING) == 0;
}

static bool is_build_name(const char *name) {
  return has_our_digits(name) && strstr(name, BUILD_MARK);
}

static DIR *list_folder(const compiled_cache *c) {
  const int copy = openat(c->folder.descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR *folder = copy >= 0 ? fdopendir(copy) : NULL;
  if (!folder && copy >= 0) close(copy);
  return folder;
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

/* A folder is as old as the last name in it. */
static void remove_old_builds(const compiled_cache *c, DIR *folder, double begun_before) {
  for (struct dirent *entry; (entry = readdir(folder));) {
    struct stat s;
    if (!is_build_name(entry->d_name) || !look_at(folder, entry->d_name, &s)) continue;
    if (S_ISDIR(s.st_mode) && age_of(&s) > begun_before)
      own_folder_remove_named(&c->folder, entry->d_name);
  }
}

static void remove_builds_left_behind(const compiled_cache *c) {
  DIR *folder = list_folder(c);
  if (!folder) return;
  remove_old_builds(c, folder, cache_limits_usual.begun_before);
  closedir(folder);
}

/* ---- the folder ---- */

/* The folder for all caches of the user; NULL: it is not known. */
static const char *cache_home(arena *keep) {
  const char *given = getenv("XDG_CACHE_HOME");
  if (given && *given == '/') return given;
  const char *home = getenv("HOME");
  if (!home || *home != '/') return NULL;
  text path = text_new(keep);
  text_add_format(&path, "%s/.cache", home);
  return text_string(&path);
}

static bool open_lasting(compiled_cache *c, arena *keep) {
  const char *home = cache_home(keep);
  own_folder above;
  if (!home || (mkdir(home, 0700) != 0 && errno != EEXIST)) return false;
  if (!own_folder_open(&above, home, keep)) return false;
  const bool is_open = own_folder_enter(&c->folder, &above, "tabia", keep);
  own_folder_close(&above);
  if (is_open && faccessat(c->folder.descriptor, ".", W_OK, AT_EACCESS) == 0) return true;
  own_folder_close(&c->folder);
  return false;
}

bool compiled_cache_open(compiled_cache *c, arena *keep, diag_sink *d) {
  *c = (compiled_cache){.folder.descriptor = -1};
  c->is_lasting = open_lasting(c, keep);
  if (c->is_lasting) remove_builds_left_behind(c);
  if (c->is_lasting || own_folder_open_temporary(&c->folder, keep)) return true;
  diag_add(d, DIAG_E840, SPAN_NONE, "there is no folder to put a compiled game into: %s",
           errno == EPERM ? "others could change it" : strerror(errno));
  return false;
}

void compiled_cache_close(compiled_cache *c) { own_folder_close(&c->folder); }

/* ---- libraries ---- */

const char *compiled_cache_name(const text *whole, uint32_t level, arena *keep) {
  sha1 s;
  char hex[SHA1_HEX_SIZE];
  sha1_init(&s);
  sha1_add(&s, whole->bytes, whole->length);
  sha1_hex(&s, hex);
  text name = text_new(keep);
  text_add_format(&name, "%s-O%u" LIBRARY_ENDING, hex, level);
  return text_string(&name);
}

static bool is_ours(const struct stat *s) {
  return S_ISREG(s->st_mode) && s->st_uid == geteuid() && !(s->st_mode & (S_IWGRP | S_IWOTH));
}

int compiled_cache_find(const compiled_cache *c, const char *name) {
  if (!c->is_lasting) return -1;
  struct stat s;
  const int file = openat(c->folder.descriptor, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
  if (file < 0) return -1;
  if (fstat(file, &s) == 0 && is_ours(&s) && is_undamaged(file, s.st_size)) {
    futimens(file, NULL);
    return file;
  }
  close(file);
  return -1;
}

static void remove_build(void *what) {
  cache_build *b = what;
  own_folder_remove(&b->folder, &b->cache->folder);
  own_folder_close(&b->folder);
}

bool compiled_cache_begin(cache_build *b, const compiled_cache *c, const char *name, arena *keep) {
  text prefix = text_new(keep);
  text_add_format(&prefix, "%s" BUILD_MARK, c->is_lasting ? name : "tabia");
  *b = (cache_build){.cache = c, .name = name};
  if (!own_folder_make(&b->folder, &c->folder, text_string(&prefix), keep)) return false;
  b->guard = arena_guarding(remove_build, b);
  b->output = own_folder_path(&b->folder, OUTPUT_NAME, keep);
  return true;
}

/* Synced before it is moved, or a power cut could leave an empty file with its name. */
static bool put_in_place(const cache_build *b, int file) {
  const int folder = b->cache->folder.descriptor;
  if (fchmod(file, 0600) != 0 || !add_checksum(file)) return false;
  if (!b->cache->is_lasting) return true;
  return fsync(file) == 0 && renameat(b->folder.descriptor, OUTPUT_NAME, folder, b->name) == 0;
}

int compiled_cache_finish(const cache_build *b) {
  const int file = openat(b->folder.descriptor, OUTPUT_NAME, O_RDWR | O_NOFOLLOW | O_CLOEXEC);
  if (file < 0 || put_in_place(b, file)) return file;
  const int why = errno;
  close(file);
  errno = why;
  return -1;
}

void compiled_cache_end(cache_build *b) { arena_free(b->guard); }

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
    if (!is_library_name(entry->d_name) || !look_at(folder, entry->d_name, &s)) continue;
    const cached_file file = {arena_copy_text(keep, entry->d_name, strlen(entry->d_name)),
                              (uint64_t)s.st_size, age_of(&s)};
    vec_push(keep, &found, file);
  }
  return found;
}

static void close_listing(void *folder) { closedir(folder); }

void compiled_cache_prune(const compiled_cache *c, const cache_limits *limits) {
  DIR *folder = c->is_lasting ? list_folder(c) : NULL;
  if (!folder) return;
  remove_old_builds(c, folder, limits->begun_before);
  rewinddir(folder);
  arena *scratch = arena_guarding(close_listing, folder);
  const cached_files found = read_libraries(folder, scratch);
  if (found.count) qsort(found.items, found.count, sizeof *found.items, compare_ages);
  uint64_t bytes = 0;
  for (uint32_t i = 0; i < found.count; i++) {
    bytes += found.items[i].bytes;
    if (bytes > limits->bytes || found.items[i].age > limits->unused_for)
      unlinkat(dirfd(folder), found.items[i].name, 0);
  }
  arena_free(scratch);
}
