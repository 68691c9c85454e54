#include "cli/output.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool fail(const char *path) {
  fprintf(stderr, "tabia: cannot write %s: %s\n", path, strerror(errno));
  return false;
}

static bool write_all(FILE *file, const text *content) {
  const bool ok = fwrite(content->bytes, 1, content->length, file) == content->length;
  return fflush(file) == 0 && ok;
}

/* A device or pipe cannot be replaced, only written to. */
static bool is_special(const char *path) {
  struct stat s;
  return stat(path, &s) == 0 && !S_ISREG(s.st_mode);
}

/* `name` is what the file is to be called in the end. */
static bool write_directly(const char *path, const char *name, const text *content) {
  FILE *file = fopen(path, "wb");
  if (!file) return fail(name);
  const bool ok = write_all(file, content);
  return (fclose(file) == 0 && ok) || fail(name);
}

bool output_write(const char *path, const text *content) {
  if (!path || strcmp(path, "-") == 0) return write_all(stdout, content);
  if (is_special(path)) return write_directly(path, path, content);
  arena *scratch = arena_new();
  text beside = text_new(scratch);
  text_add_format(&beside, "%s.%ld.part", path, (long)getpid());
  bool ok = write_directly(text_string(&beside), path, content);
  if (ok && rename(text_string(&beside), path) != 0) ok = fail(path);
  if (!ok) unlink(text_string(&beside));
  arena_free(scratch);
  return ok;
}
