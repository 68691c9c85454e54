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

/* A folder, and the one that it is in. */
typedef struct temporary {
  own_folder parent, folder;
} temporary;

static void remove_temporary(void *what) {
  temporary *t = what;
  own_folder_remove(&t->folder, &t->parent);
  own_folder_close(&t->folder);
  own_folder_close(&t->parent);
}

static bool make_temporary(temporary *t, arena *keep, diag_sink *d) {
  if (own_folder_open_temporary(&t->parent, keep)) {
    if (own_folder_make(&t->folder, &t->parent, "tabia", keep)) return true;
    own_folder_close(&t->parent);
  }
  diag_add(d, DIAG_E701, SPAN_NONE, "cannot make a folder for temporary files: %s",
           errno == EPERM ? "others could change it" : strerror(errno));
  return false;
}

bool c_build_code(const text *game, c_product product, uint32_t level, arena *keep, budget *limits,
                  diag_sink *d, text *code) {
  temporary t;
  if (limits) limits->stage = "running the C compiler";
  if (!make_temporary(&t, keep, d)) return false;
  arena *guard = arena_guarding(remove_temporary, &t);
  const c_build_options o = {.product = product,
                             .level = level,
                             .output = own_folder_path(&t.folder, "object", keep),
                             .temporary_folder = t.folder.path};
  const bool ok = build_at(game, o, keep, limits, d, code);
  arena_free(guard);
  return ok;
}
