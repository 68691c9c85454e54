/* tabia compile: a game as C. */
#include "compile/compile.h"

#include "base/json.h"
#include "cli/command.h"
#include "cli/game_load.h"
#include "cli/limits.h"
#include "cli/output.h"
#include "compile/built_code.h"
#include "frame/encoding.h"

#include <string.h>

static const command_help help = {
    .usage = "tabia compile [OPTION] GAME",
    .details =
        "Writes GAME as a C17 file.  It needs two headers, tabia_game.h and tabia_runtime.h, "
        "which\n"
        "are put beside the file that -o names; tabia_game.h says how to play it.  --emit stops "
        "at\n"
        "an earlier stage, or goes on to object code or a shared library with the C compiler `cc`.",
    .example = "tabia compile tic-tac-toe -o tic_tac_toe.c",
};

typedef enum emit_kind {
  EMIT_MINI,
  EMIT_STRATA,
  EMIT_NORMAL,
  EMIT_LABELS,
  EMIT_INVERTED,
  EMIT_C,
  EMIT_OBJECT,
  EMIT_SHARED
} emit_kind;

static const char *const emit_choices[] = {"mini", "strata", "normal", "labels", "inverted",
                                           "c",    "object", "shared", NULL};
static const char *const encoding_choices[] = {"original", "direct", "pruned", NULL};

typedef struct compile_command {
  uint32_t emit;
  uint32_t encoding;
  uint32_t kb;
  uint64_t level;
  bool as_json;
  const char *output;
  limit_options limits;
} compile_command;

typedef struct compile_result {
  text game; /* the text of the stage */
  double transform_seconds;
  double build_seconds;
  text object; /* code; empty: none was wanted */
} compile_result;

static compile_stage stage_of(uint32_t emit) {
  return emit >= EMIT_C ? COMPILE_C : (compile_stage)emit;
}

/* ---- output ---- */

/* A file beside the output, for its #include lines. */
static bool write_header(const char *output, const char *name, const char *words, arena *keep) {
  const char *slash = strrchr(output, '/');
  text path = text_new(keep);
  if (slash) text_add_bytes(&path, output, (size_t)(slash - output) + 1);
  text_add(&path, name);
  text content = text_new(keep);
  text_add(&content, words);
  return output_write(text_string(&path), &content);
}

static int write_result(const compile_command *c, const compile_result *r, arena *keep) {
  if (c->emit > EMIT_C) return output_write(c->output, &r->object) ? EXIT_YES : EXIT_CANNOT_READ;
  if (c->as_json && !c->output) return EXIT_YES;
  if (!output_write(c->output, &r->game)) return EXIT_CANNOT_READ;
  if (c->emit != EMIT_C || !c->output) return EXIT_YES;
  return write_header(c->output, "tabia_game.h", c_game_header, keep) &&
                 write_header(c->output, "tabia_runtime.h", c_runtime_header, keep)
             ? EXIT_YES
             : EXIT_CANNOT_READ;
}

static void put_json(const compile_command *c, const compile_result *r, uint64_t source_bytes,
                     arena *keep) {
  text out = text_new(keep);
  json_writer w = json_to(&out);
  json_open_object(&w, NULL);
  json_put_string(&w, "emit", emit_choices[c->emit]);
  json_put_string(&w, "encoding", encoding_choices[c->encoding]);
  json_put_string(&w, "knowledge_base", knowledge_base_names[c->kb]);
  json_put_integer(&w, "source_bytes", (int64_t)source_bytes);
  json_put_integer(&w, "text_bytes", (int64_t)r->game.length);
  json_put_integer(&w, "object_bytes", (int64_t)r->object.length);
  json_put_number(&w, "transform_seconds", r->transform_seconds);
  json_put_number(&w, "build_seconds", r->build_seconds);
  json_close_object(&w);
  puts(text_string(&out));
}

/* ---- the command ---- */

static bool build_object(const compile_command *c, compile_result *r, loaded_game *g, budget *b) {
  const double begin = clock_now();
  const bool ok = c_build_code(&r->game, c->emit == EMIT_SHARED ? C_SHARED : C_OBJECT,
                               (uint32_t)c->level, g->keep, b, &g->diags, &r->object);
  r->build_seconds = clock_now() - begin;
  return ok;
}

static int compile_loaded(loaded_game *g, const char *name, const compile_command *c) {
  int status;
  budget b;
  progress p = progress_on_stderr(true);
  if (!limits_begin(&b, &c->limits, &help, &status)) return status;
  b.progress = &p;
  budget_watch(&b, g->keep);
  compile_result r = {.game = text_new(g->keep), .object = text_new(g->keep)};
  const double begin = clock_now();
  encoded_program encoded;
  frame_encode(&encoded, &g->program, (frame_encoding)c->encoding, SCOPE_GAMES, g->keep, &b);
  compilation stages;
  const compile_options o = {.name = name, .kb = (knowledge_base)c->kb};
  bool ok = compile_game(&stages, encoded.program, &o, stage_of(c->emit), g->keep, &b, &g->diags,
                         &r.game);
  r.transform_seconds = clock_now() - begin;
  if (ok && c->emit > EMIT_C) ok = build_object(c, &r, g, &b);
  progress_done(&p);
  if (!ok) return game_report_late(g, &b);
  if (c->as_json) put_json(c, &r, g->source.length, g->keep);
  return write_result(c, &r, g->keep);
}

int cmd_compile(int argc, char **argv) {
  compile_command c = {.emit = EMIT_C, .level = 2};
  const option options[] = {
      OUTPUT_OPTION(&c.output),
      CHOICE_OPTION("emit", &c.emit, emit_choices, "how far to go; c by default"),
      CHOICE_OPTION("encoding", &c.encoding, encoding_choices,
                    "of what stays: as the rules say, or translated"),
      CHOICE_OPTION("knowledge-base", &c.kb, knowledge_base_names,
                    "how facts are kept; dense by default"),
      NUMBER_OPTION("optimise", &c.level, "LEVEL", "of object code (2)", .letter = 'O', .most = 3),
      FLAG_OPTION("json", &c.as_json, "print sizes and times as JSON"),
      LIMIT_OPTIONS(&c.limits),
      {0}};
  arguments given;
  int status;
  if (!options_parse(&help, options, argc, argv, &given, &status)) return status;
  if (!arguments_expect(&help, &given, 1, 1, &status)) return status;
  if (c.output && strcmp(c.output, "-") == 0) c.output = NULL; /* standard output */
  if (c.emit > EMIT_C && !c.output)
    return usage_error(&help, "--emit %s needs -o FILE", emit_choices[c.emit]);
  loaded_game g;
  if (game_load_sound(&g, given.items[0], LOAD_PROGRAM, &status))
    status = compile_loaded(&g, given.items[0], &c);
  game_free(&g);
  return status;
}
