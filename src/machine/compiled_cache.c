#include "machine/compiled_cache.h"

#include "base/sha1.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool is_ours(const struct stat *s) {
  return s->st_uid == geteuid() && !(s->st_mode & (S_IWGRP | S_IWOTH));
}

/* Makes the folder where it is missing, for us alone.  A symbolic link is not followed. */
static bool is_safe_folder(const char *path) {
  struct stat s;
  if (mkdir(path, 0700) != 0 && errno != EEXIST) return false;
  return lstat(path, &s) == 0 && S_ISDIR(s.st_mode) && is_ours(&s) && access(path, W_OK) == 0;
}

static const char *joined(arena *keep, const char *folder, const char *name) {
  text path = text_new(keep);
  text_add_format(&path, "%s/%s", folder, name);
  return text_string(&path);
}

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
  if (home && is_safe_folder(c->folder)) return true;
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
  text_add_format(&path, "%s/%s-O%u.so", c->folder, hex, level);
  return text_string(&path);
}

bool compiled_cache_has(const char *path) {
  struct stat s;
  return lstat(path, &s) == 0 && S_ISREG(s.st_mode) && is_ours(&s) && s.st_size > 0;
}
