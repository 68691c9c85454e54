#include "compile/c_build.h"

#include "base/process.h"

#include <string.h>

void c_write_whole(const text *game, text *out) {
  static const char *const lines[] = {"#include \"tabia_game.h\"\n",
                                      "#include \"tabia_runtime.h\"\n"};
  const char *const headers[] = {c_game_header, c_runtime_header};
  const char *at = game->bytes;
  for (int i = 0; i < 2; i++) {
    const char *line = strstr(at, lines[i]);
    assert(line); /* the game's own text: it includes both, in this order */
    text_add_bytes(out, at, (size_t)(line - at));
    text_add(out, headers[i]);
    at = line + strlen(lines[i]);
  }
  text_add_bytes(out, at, game->length - (size_t)(at - game->bytes));
}

bool c_build(const text *whole, const c_build_options *o, arena *keep, budget *limits,
             diag_sink *d) {
  const char levels[][4] = {"-O0", "-O1", "-O2", "-O3"};
  text symbol = text_new(keep);
  text_add_format(&symbol, "-DTABIA_GAME=%s", o->symbol ? o->symbol : "");
  const char *arguments[16] = {"cc", "-std=c17", "-w", "-fPIC", levels[o->level & 3]};
  uint32_t count = 5;
  arguments[count++] = o->product == C_SHARED ? "-shared" : "-c";
  if (o->symbol) arguments[count++] = text_string(&symbol);
  arguments[count++] = "-x";
  arguments[count++] = "c";
  arguments[count++] = "-";
  arguments[count++] = "-o";
  arguments[count++] = o->output;
  const process_command command = {
      .package = "gcc", .arguments = arguments, .temporary_folder = o->temporary_folder};
  process *cc = process_start(&command, whole, keep, limits, d);
  if (!cc) return false;
  while (process_next(cc) != EOF) continue;
  return process_end(cc, true);
}
