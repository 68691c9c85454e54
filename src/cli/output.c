#include "cli/output.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A device or pipe cannot be replaced, only written to. */
static bool is_special(const char *path) {
  struct stat s;
  return stat(path, &s) == 0 && !S_ISREG(s.st_mode);
}

static const char *path_beside(const char *path, arena *keep) {
  text beside = text_new(keep);
  text_add_format(&beside, "%s.%ld.part", path, (long)getpid());
  return text_string(&beside);
}

static void fail(output *o) {
  if (!o->is_failing && o->path)
    fprintf(stderr, "tabia: cannot write %s: %s\n", o->path, strerror(errno));
  o->is_failing = true;
}

void output_begin(output *o, const char *path) {
  *o = (output){.file = stdout, .keep = arena_new()};
  if (!path || strcmp(path, "-") == 0) return;
  o->path = path;
  o->written = is_special(path) ? path : path_beside(path, o->keep);
  o->file = fopen(o->written, "wb");
  if (!o->file) fail(o);
}

static void put_piece(void *context, const char *bytes, size_t length) {
  output *o = context;
  if (!o->is_failing && fwrite(bytes, 1, length, o->file) != length) fail(o);
}

text_sink output_sink(output *o) { return (text_sink){put_piece, o}; }

static void close_file(output *o) {
  if (!o->file) return;
  if ((o->path ? fclose(o->file) : fflush(o->file)) != 0) fail(o);
}

/* Moves what was written to its place, or takes it away. */
static void settle_file(output *o) {
  if (o->written == o->path) return;
  if (!o->is_failing && rename(o->written, o->path) != 0) fail(o);
  if (o->is_failing && o->file) unlink(o->written);
}

bool output_end(output *o) {
  close_file(o);
  settle_file(o);
  arena_free(o->keep);
  return !o->is_failing;
}

bool output_write(const char *path, const text *content) {
  output o;
  output_begin(&o, path);
  put_piece(&o, content->bytes, content->length);
  return output_end(&o);
}
