#include "compile/built_code.h"

#include "read/source.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Lets the compiler write to `path`, and reads it from there. */
static bool build_at(const text *game, c_build_options o, arena *keep, budget *limits, diag_sink *d,
                     text *code) {
  text whole = text_new(keep);
  source built;
  c_write_whole(game, &whole);
  if (!c_build(&whole, &o, keep, limits, d) || !source_load(&built, o.output, keep, d))
    return false;
  text_add_bytes(code, built.bytes, built.length);
  return true;
}

bool c_build_code(const text *game, c_product product, uint32_t level, arena *keep, budget *limits,
                  diag_sink *d, text *code) {
  const char *folder = getenv("TMPDIR");
  text path = text_new(keep);
  text_add_format(&path, "%s/tabia-XXXXXX", folder && *folder ? folder : "/tmp");
  const int file = mkstemp(path.bytes);
  if (file < 0) {
    diag_add(d, DIAG_E701, SPAN_NONE, "cannot make %s: %s", text_string(&path), strerror(errno));
    return false;
  }
  close(file);
  const c_build_options o = {.product = product, .level = level, .output = text_string(&path)};
  const bool ok = build_at(game, o, keep, limits, d, code);
  unlink(o.output);
  return ok;
}
