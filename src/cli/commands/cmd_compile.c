/* tabia compile: a game as C. */
#include "base/budget.h"
#include "base/json.h"
#include "cli/stage.h"

#include <math.h>
#include <string.h>

static const command_help help = {
    .usage = "tabia compile [OPTION] GAME",
    .details =
        "Writes GAME as a C17 file.  The file needs two headers, tabia_game.h and tabia_runtime.h,\n"
        "which are written beside the file that -o names; tabia_game.h says how to play the\n"
        "game.  With --emit, stops at an earlier stage, or goes on to object code or a shared\n"
        "library with the C compiler `cc`.",
    .example = "tabia compile tic-tac-toe -o tic_tac_toe.c",
};

typedef enum emit_kind { EMIT_C = 5, EMIT_OBJECT, EMIT_SHARED } emit_kind;

static const char *const emit_choices[] = {"mini", "strata", "normal", "labels", "inverted",
                                           "c",    "object", "shared", NULL};

typedef struct compile_command {
  uint32_t emit;
  uint32_t encoding;
  uint32_t kb;
  uint64_t level;
  bool as_json;
  const char *output;
  limit_choice limits;
} compile_command;

typedef struct compile_result {
  text game; /* the text of the stage */
  double transform_seconds;
  double build_seconds;
  text object; /* code; empty: none was wanted */
} compile_result;

/* `mini` is what the rules are before the compiler's first step. */
static const char *stage_of(uint32_t emit) {
  if (emit == 0) return "clauses";
  return emit >= EMIT_C ? "c" : emit_choices[emit];
}

/* ---- output ---- */

/* A file beside the output, for its #include lines. */
static bool write_header(const char *output, const char *name, arena *keep) {
  const char *slash = strrchr(output, '/');
  text path = text_new(keep);
  if (slash) text_add_bytes(&path, output, (size_t)(slash - output) + 1);
  text_add(&path, name);
  text content = text_new(keep);
  text_add(&content, tabia_game_header(name));
  return output_write(text_string(&path), &content);
}

static bool write_result(const compile_command *c, const compile_result *r, arena *keep) {
  if (c->emit > EMIT_C) return output_write(c->output, &r->object);
  if (c->as_json && !c->output) return true;
  if (!output_write(c->output, &r->game)) return false;
  return c->emit != EMIT_C || !c->output ||
         (write_header(c->output, "tabia_game.h", keep) &&
          write_header(c->output, "tabia_runtime.h", keep));
}

static void put_json(const session *s, const compile_command *c, const compile_result *r) {
  size_t source_bytes;
  text out = text_new(s->keep);
  json_writer w = json_to(&out);
  tabia_rules_text(s->rules, &source_bytes);
  json_open_object(&w, NULL);
  json_put_string(&w, "game", tabia_rules_name(s->rules));
  json_put_string(&w, "emit", emit_choices[c->emit]);
  json_put_string(&w, "encoding", translation_words[c->encoding]);
  json_put_string(&w, "knowledge_base", knowledge_base_words[c->kb]);
  json_put_integer(&w, "source_bytes", (int64_t)source_bytes);
  json_put_integer(&w, "text_bytes", (int64_t)r->game.length);
  json_put_integer(&w, "object_bytes", (int64_t)r->object.length);
  json_put_number(&w, "transform_seconds", r->transform_seconds);
  json_put_number(&w, "build_seconds", r->build_seconds);
  json_close_object(&w);
  puts(text_string(&out));
}

/* ---- the command ---- */

static void add_piece(void *context, const char *bytes, size_t length) {
  text_add_bytes(context, bytes, length);
}

static tabia_status write_stage(session *s, const compile_command *c, compile_result *r) {
  const double begin = clock_now();
  if (c->emit) {
    tabia_options_set(s->options, "encoding", translation_words[c->encoding]);
    tabia_options_set(s->options, "knowledge-base", knowledge_base_words[c->kb]);
  }
  const tabia_status result = tabia_rules_write(s->rules, stage_of(c->emit), s->options, s->limits,
                                                add_piece, &r->game, s->log);
  r->transform_seconds = clock_now() - begin;
  return result;
}

/* Building makes the C text once more: that time is not the compiler's. */
static tabia_status build(session *s, const compile_command *c, compile_result *r) {
  char level[8];
  const double begin = clock_now();
  snprintf(level, sizeof level, "%u", (unsigned)c->level);
  tabia_options_set(s->options, "level", level);
  tabia_options_set(s->options, "product", emit_choices[c->emit]);
  const tabia_status result =
      tabia_rules_build(s->rules, s->options, s->limits, add_piece, &r->object, s->log);
  r->build_seconds = fmax(0, clock_now() - begin - r->transform_seconds);
  return result;
}

static int compile(session *s, const compile_command *c) {
  compile_result r = {.game = text_new(s->keep), .object = text_new(s->keep)};
  tabia_status result = write_stage(s, c, &r);
  if (result == TABIA_OK && c->emit > EMIT_C) result = build(s, c, &r);
  if (result != TABIA_OK) return session_show(s, result);
  if (c->as_json) put_json(s, c, &r);
  return write_result(c, &r, s->keep) ? EXIT_YES : EXIT_CANNOT_READ;
}

static const char *const of_objects[] = {"optimise", NULL};

int cmd_compile(int argc, char **argv) {
  compile_command c = {.emit = EMIT_C, .level = 2};
  const option options[] = {
      OUTPUT_OPTION(&c.output),
      CHOICE_OPTION("emit", &c.emit, emit_choices, "the last stage; c by default"),
      CHOICE_OPTION("encoding", &c.encoding, translation_words, "how frame rules are translated"),
      CHOICE_OPTION("knowledge-base", &c.kb, knowledge_base_words,
                    "how facts are kept; dense by default"),
      NUMBER_OPTION("optimise", &c.level, "LEVEL", "optimisation of object code (2)", .letter = 'O',
                    .most = 3),
      FLAG_OPTION("json", &c.as_json, "print sizes and times as JSON"),
      SESSION_LIMITS(&c.limits),
      {0}};
  arguments given;
  int status;
  if (!options_parse(&help, options, argc, argv, &given, &status)) return status;
  if (!arguments_expect(&help, &given, 1, 1, &status)) return status;
  if (c.output && strcmp(c.output, "-") == 0) c.output = NULL; /* standard output */
  if (c.emit > EMIT_C && !c.output)
    return usage_error(&help, "--emit %s needs -o FILE", emit_choices[c.emit]);
  if (c.emit <= EMIT_C &&
      !options_have_effect(&help, options, &given, of_objects,
                           "on text; it is for --emit object and shared", &status))
    return status;
  session s;
  if (session_begin(&s, &c.limits, &help, &status) && session_read(&s, given.items[0], &status))
    status = compile(&s, &c);
  return session_end(&s, status);
}
