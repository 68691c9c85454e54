#include "base/own_folder.h"

#include "base/recovery.h"
#include "base/text.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* Folders on the way need not be readable. */
enum {
  OPEN_STEP = O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC,
  OPEN_FOLDER = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC
};

/* ---- whom it belongs to ---- */

static bool others_may_write(const struct stat *s) { return s->st_mode & (S_IWGRP | S_IWOTH); }

/* Where the sticky bit is set, others may add names but not take ours away. */
static bool others_cannot_replace(const struct stat *s) {
  if (s->st_uid != geteuid() && s->st_uid != 0) return false;
  return !others_may_write(s) || (s->st_mode & S_ISVTX);
}

static bool is_trusted(int folder) {
  struct stat s;
  if (fstat(folder, &s) != 0) return false;
  if (others_cannot_replace(&s)) return true;
  errno = EPERM;
  return false;
}

/* ---- from the root ---- */

static bool fail_and_close(int descriptor) {
  const int why = errno;
  if (descriptor >= 0) close(descriptor);
  errno = why;
  return false;
}

/* Goes one step down; the folder above is closed. */
static bool descend(int *folder, const char *name) {
  const int next = openat(*folder, name, OPEN_STEP);
  if (next < 0) return false;
  close(*folder);
  *folder = next;
  return is_trusted(next);
}

/* `path` is absolute and has no links; it is taken apart. */
static int open_step_by_step(char *path) {
  int folder = open("/", OPEN_STEP);
  bool ok = folder >= 0 && is_trusted(folder);
  char *rest = path;
  for (char *name; ok && (name = strsep(&rest, "/"));)
    if (*name) ok = descend(&folder, name);
  if (!ok) fail_and_close(folder);
  return ok ? folder : -1;
}

static bool is_open(own_folder *f) {
  if (f->descriptor >= 0) f->guard = arena_guarding(close_guarded, &f->descriptor);
  return f->guard;
}

bool own_folder_open(own_folder *f, const char *path, arena *keep) {
  *f = (own_folder){.descriptor = -1};
  char *resolved = realpath(path, NULL);
  if (!resolved) return false;
  arena *guard = arena_guarding(free, resolved);
  f->path = arena_copy_text(keep, resolved, strlen(resolved));
  f->descriptor = open_step_by_step(resolved);
  const int why = errno;
  arena_free(guard);
  errno = why;
  return is_open(f);
}

bool own_folder_open_temporary(own_folder *f, arena *keep) {
  const char *given = getenv("TMPDIR");
  return own_folder_open(f, given && *given ? given : "/tmp", keep);
}

/* ---- folders of our own ---- */

const char *own_folder_path(const own_folder *f, const char *name, arena *keep) {
  text path = text_new(keep);
  text_add_format(&path, "%s/%s", strcmp(f->path, "/") == 0 ? "" : f->path, name);
  return text_string(&path);
}

/* Others may not even look into it: whatever the umask, nobody can then open a file before it is
   finished. */
static bool close_to_others(int folder) {
  struct stat s;
  if (fstat(folder, &s) != 0) return false;
  errno = EPERM;
  if (s.st_uid != geteuid() || others_may_write(&s)) return false;
  return (s.st_mode & 0777) == 0700 || fchmod(folder, 0700) == 0;
}

static bool open_inside(own_folder *f, const own_folder *parent, const char *name) {
  f->descriptor = openat(parent->descriptor, name, OPEN_FOLDER);
  if (f->descriptor >= 0 && close_to_others(f->descriptor)) return is_open(f);
  fail_and_close(f->descriptor);
  f->descriptor = -1;
  return false;
}

bool own_folder_enter(own_folder *f, const own_folder *parent, const char *name, arena *keep) {
  *f = (own_folder){.path = own_folder_path(parent, name, keep), .descriptor = -1};
  if (mkdirat(parent->descriptor, name, 0700) != 0 && errno != EEXIST) return false;
  return open_inside(f, parent, name);
}

bool own_folder_make(own_folder *f, const own_folder *parent, const char *prefix, arena *keep) {
  text name = text_new(keep);
  text_add_format(&name, "%s.XXXXXX", own_folder_path(parent, prefix, keep));
  *f = (own_folder){.path = name.bytes, .descriptor = -1};
  if (!mkdtemp(name.bytes)) return false;
  return open_inside(f, parent, strrchr(f->path, '/') + 1);
}

/* ---- removing ---- */

static void remove_files(int folder) {
  DIR *open_folder = folder >= 0 ? fdopendir(folder) : NULL;
  if (!open_folder) return;
  for (struct dirent *entry; (entry = readdir(open_folder));)
    unlinkat(folder, entry->d_name, 0); /* it is refused for . and .. */
  closedir(open_folder);
}

void own_folder_remove_named(const own_folder *parent, const char *name) {
  remove_files(openat(parent->descriptor, name, OPEN_FOLDER));
  unlinkat(parent->descriptor, name, AT_REMOVEDIR);
}

void own_folder_remove(const own_folder *f, const own_folder *parent) {
  own_folder_remove_named(parent, strrchr(f->path, '/') + 1);
}

void own_folder_close(own_folder *f) {
  arena_free(f->guard);
  f->guard = NULL;
  f->descriptor = -1;
}
