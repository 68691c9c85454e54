#include "compile/built_code.h"

#include "base/own_folder.h"
#include "read/source.h"

#include <errno.h>
#include <string.h>

/* Lets the compiler write to the folder, and reads it from there. */
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

static bool make_temporary(own_folder *parent, own_folder *folder, arena *keep, diag_sink *d) {
  if (own_folder_open_temporary(parent, keep)) {
    if (own_folder_make(folder, parent, "tabia", keep)) return true;
    own_folder_close(parent);
  }
  diag_add(d, DIAG_E701, SPAN_NONE, "cannot make a folder for temporary files: %s",
           errno == EPERM ? "others could change it" : strerror(errno));
  return false;
}

bool c_build_code(const text *game, c_product product, uint32_t level, arena *keep, budget *limits,
                  diag_sink *d, text *code) {
  own_folder parent, folder;
  if (limits) limits->stage = "running the C compiler";
  if (!make_temporary(&parent, &folder, keep, d)) return false;
  const c_build_options o = {.product = product,
                             .level = level,
                             .output = own_folder_path(&folder, "object", keep),
                             .temporary_folder = folder.path};
  const bool ok = build_at(game, o, keep, limits, d, code);
  own_folder_remove(&folder, &parent);
  own_folder_close(&folder);
  own_folder_close(&parent);
  return ok;
}
