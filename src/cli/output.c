#include "cli/output.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

static void fail(output *o) {
  if (!o->is_failing && o->path)
    fprintf(stderr, "tabia: cannot write %s: %s\n", o->path, strerror(errno));
  o->is_failing = true;
}

void output_begin(output *o, const char *path) {
  *o = (output){.file = stdout, .keep = arena_new()};
  if (!path || strcmp(path, "-") == 0) return;
  o->path = path;
  o->file = NULL;
  if (whole_file_begin(&o->whole, path, o->keep))
    o->file = o->whole.file;
  else
    fail(o);
}

static void put_piece(void *context, const char *bytes, size_t length) {
  output *o = context;
  if (!o->is_failing && fwrite(bytes, 1, length, o->file) != length) fail(o);
}

text_sink output_sink(output *o) { return (text_sink){put_piece, o}; }

static void close_file(output *o) {
  if (!o->file) return;
  const bool is_done = o->path ? whole_file_end(&o->whole, !o->is_failing) : fflush(o->file) == 0;
  if (!is_done) fail(o);
}

bool output_end(output *o) {
  close_file(o);
  arena_free(o->keep);
  return !o->is_failing;
}

bool output_write(const char *path, const text *content) {
  output o;
  output_begin(&o, path);
  put_piece(&o, content->bytes, content->length);
  return output_end(&o);
}

void put_to_stdout(void *context, const char *bytes, size_t length) {
  (void)context;
  fwrite(bytes, 1, length, stdout);
}

bool output_is_possible(const char *path) {
  struct stat there;
  output o;
  if (!path || strcmp(path, "-") == 0) return true;
  if (stat(path, &there) == 0 && !S_ISREG(there.st_mode) && !S_ISDIR(there.st_mode)) return true;
  output_begin(&o, path);
  const bool is_possible = !o.is_failing;
  o.is_failing = true; /* what was begun goes */
  output_end(&o);
  return is_possible;
}
