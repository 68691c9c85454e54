#include "base/whole_file.h"

#include "base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

enum { NAMES_TRIED = 16 };

/* What stands at the path now, with links followed as the system allows it: in folders where
   everybody may write, it does not follow links of others. */
typedef struct old_file {
  bool is_there;
  struct stat about;
} old_file;

/* False: something stands there that may not be looked at. */
static bool look_at(const char *path, old_file *old) {
  *old = (old_file){0};
  const int file = open(path, O_PATH | O_CLOEXEC);
  if (file < 0) return errno == ENOENT;
  old->is_there = fstat(file, &old->about) == 0;
  close(file);
  return old->is_there;
}

/* ---- beginning ---- */

static const char *resolved(const char *path, const old_file *old, arena *keep) {
  char *found = old->is_there ? realpath(path, NULL) : NULL;
  arena *guard = arena_guarding(free, found);
  const char *name = found ? found : path;
  const char *copy = arena_copy_text(keep, name, strlen(name));
  arena_free(guard);
  return copy;
}

static const char *random_name_beside(const char *path, arena *keep) {
  uint64_t number = 0;
  while (getrandom(&number, sizeof number, 0) < 0 && errno == EINTR) continue;
  text name = text_new(keep);
  text_add_format(&name, "%s.%016llx.part", path, (unsigned long long)number);
  return text_string(&name);
}

bool whole_file_is_part(const char *behind) {
  return behind[0] == '.' && strspn(behind + 1, "0123456789abcdef") == 16 &&
         strcmp(behind + 17, ".part") == 0;
}

/* The mode of a new file is for the umask to decide; that of an old one is given at the end. */
static int create_beside(whole_file *f, const old_file *old, arena *keep) {
  int file = -1;
  for (int i = 0; i < NAMES_TRIED && file < 0; i++) {
    f->part = random_name_beside(f->path, keep);
    file = open(f->part, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
                old->is_there ? 0600 : 0666);
    if (file < 0 && errno != EEXIST) return -1;
  }
  return file;
}

/* Where the group cannot be kept, what it was allowed is not for another group. */
static bool keep_owner_and_mode(int file, const struct stat *old) {
  mode_t mode = old->st_mode & 0777;
  if (fchown(file, old->st_uid, old->st_gid) != 0) mode &= ~(mode_t)S_IRWXG;
  return fchmod(file, mode) == 0;
}

static void give_up(void *what) {
  const whole_file *f = what;
  if (!f->file) return;
  fclose(f->file);
  if (f->part) unlink(f->part);
}

static bool open_stream(whole_file *f, int file) {
  f->file = fdopen(file, "wb");
  if (f->file) {
    f->guard = arena_guarding(give_up, f);
    return true;
  }
  const int why = errno;
  close(file);
  if (f->part) unlink(f->part);
  errno = why;
  return false;
}

/* Neither made nor cut here: a regular file that has come in its place since stays as it is. */
static bool open_special(whole_file *f) {
  const int file = open(f->path, O_WRONLY | O_CLOEXEC);
  return file >= 0 && open_stream(f, file);
}

bool whole_file_begin(whole_file *f, const char *path, arena *keep) {
  old_file old;
  *f = (whole_file){0};
  if (!look_at(path, &old)) return false;
  f->path = resolved(path, &old, keep);
  if (old.is_there && !S_ISREG(old.about.st_mode)) return open_special(f);
  const int file = create_beside(f, &old, keep);
  if (file < 0) return false;
  if (!open_stream(f, file)) return false;
  if (!old.is_there || keep_owner_and_mode(file, &old.about)) return true;
  return whole_file_end(f, false);
}

/* ---- ending ---- */

static bool finish(whole_file *f) {
  if (fflush(f->file) != 0) return false;
  return !f->part || fsync(fileno(f->file)) == 0;
}

static void forget_stream(whole_file *f) {
  f->file = NULL;
  arena_free(f->guard);
}

bool whole_file_end(whole_file *f, bool is_complete) {
  bool is_done = is_complete && finish(f);
  int why = errno;
  if (fclose(f->file) != 0 && is_done) {
    why = errno;
    is_done = false;
  }
  forget_stream(f);
  if (!f->part) return errno = why, is_done;
  if (is_done && rename(f->part, f->path) == 0) return true;
  if (is_done) why = errno;
  unlink(f->part);
  errno = why;
  return false;
}
