#include "api/api.h"

#include "board/draw/drawing.h"
#include "board/find/find_layout.h"
#include "board/layout_proof.h"
#include "board/layout_text.h"
#include "machine/circuit_game.h"

#include <string.h>

struct tabia_board {
  arena *keep;
  const tabia_machine *of;
  double seconds; /* limits of one drawing; 0: none */
  size_t bytes;
  samples samples;
  survey survey;
  layout layout;
};

/* Random games for a layout take no longer. */
static const double SAMPLE_SECONDS = 1;

/* What is known of the game, whoever lays it out. */
static tabia_board *open_board(const tabia_machine *m, budget *limits) {
  arena *keep = arena_new();
  tabia_board *b = arena_alloc_zero(keep, sizeof *b);
  *b = (tabia_board){.keep = keep, .of = m, .bytes = limits->max_bytes};
  if (limits->deadline > 0) b->seconds = limits->deadline - limits->started;
  samples_take(&b->samples, m->m, SAMPLE_SECONDS, limits, keep);
  survey_make(&b->survey, &b->samples, &m->rules->program, keep);
  return b;
}

static tabia_status finish_board(tabia_board **out, tabia_board *b, tabia_status status) {
  if (status != TABIA_OK) tabia_board_free(b);
  *out = status == TABIA_OK ? b : NULL;
  return status;
}

static tabia_status find_board(tabia_board **out, const tabia_machine *m,
                               const tabia_limits *limits, tabia_messages *log) {
  budget limit = api_budget(limits);
  tabia_board *b = open_board(m, &limit);
  find_layout(&b->layout, &b->survey, b->keep);
  if (!budget_check_now(&limit)) return finish_board(out, b, TABIA_OK);
  api_tell_error(log, "a limit was reached before the board was found");
  return finish_board(out, b, TABIA_LIMIT);
}

tabia_status tabia_board_new(tabia_board **out, const tabia_machine *m, const tabia_limits *limits,
                             tabia_messages *log) {
  *out = NULL;
  API_GUARDED(tabia_status, find_board(out, m, limits, log), api_no_memory(log));
}

static tabia_status read_board(tabia_board **out, const tabia_machine *m, const char *name,
                               const char *layout, size_t length, const tabia_limits *limits,
                               tabia_messages *log) {
  budget limit = api_budget(limits);
  layout_fault fault;
  tabia_board *b = open_board(m, &limit);
  if (layout_read(&b->layout, &b->samples, layout, length, b->keep, &fault))
    return finish_board(out, b, TABIA_OK);
  api_tell_error(log, "%s:%u: %s", name, fault.line, fault.words);
  return finish_board(out, b, TABIA_UNREADABLE);
}

tabia_status tabia_board_read(tabia_board **out, const tabia_machine *m, const char *name,
                              const char *layout, size_t length, const tabia_limits *limits,
                              tabia_messages *log) {
  *out = NULL;
  API_GUARDED(tabia_status, read_board(out, m, name, layout, length, limits, log),
              api_no_memory(log));
}

void tabia_board_free(tabia_board *b) {
  if (b) arena_free(b->keep);
}

static void prove(tabia_board *b, const tabia_limits *limits) {
  const machine *m = b->of->m;
  budget limit = api_budget(limits);
  if (m->grounded) layout_prove(&b->layout, &b->samples, &m->grounded->circuit, &limit);
}

/* Without memory, nothing more is certain than was. */
void tabia_board_prove(tabia_board *b, const tabia_limits *limits) {
  API_TRY_IN(NULL, prove(b, limits), (void)0);
}

/* ---- drawing ---- */

typedef void write_picture(const picture *p, text *out);

static const struct board_format {
  const char *name;
  write_picture *write;
} formats[] = {
    {"text", picture_write_text}, {"json", picture_write_json}, {"svg", picture_write_svg}};

enum { FORMAT_COUNT = sizeof formats / sizeof *formats };

static const struct board_format *find_format(const char *name, tabia_messages *log) {
  for (uint32_t i = 0; i < FORMAT_COUNT; i++)
    if (strcmp(formats[i].name, name) == 0) return &formats[i];
  api_tell_error(log, "there is no format `%s` of boards: text, json, svg", name);
  return NULL;
}

static tabia_status draw_on(tabia_board *b, tabia_workspace *w, const void *position,
                            const struct board_format *f, tabia_put *put, void *context,
                            tabia_messages *log) {
  text out = text_new(w->keep);
  picture p;
  picture_make(&p, &b->layout, &b->samples, w->w, position, w->keep);
  const tabia_status status = api_workspace_status(w, log);
  if (status != TABIA_OK) return status;
  f->write(&p, &out);
  put(context, text_string(&out), out.length);
  return TABIA_OK;
}

/* Each drawing has a workspace of its own: one that fails says nothing of the next. */
static tabia_status draw(tabia_board *b, const void *position, const char *format, tabia_put *put,
                         void *context, tabia_messages *log) {
  const struct board_format *f = find_format(format, log);
  if (!f) return TABIA_MISUSE;
  tabia_workspace *w = api_workspace_within(b->of, b->seconds, b->bytes);
  const tabia_status status = draw_on(b, w, position, f, put, context, log);
  tabia_workspace_free(w);
  return status;
}

tabia_status tabia_board_draw(tabia_board *b, const void *position, const char *format,
                              tabia_put *put, void *context, tabia_messages *log) {
  API_GUARDED(tabia_status, draw(b, position, format, put, context, log), api_no_memory(log));
}

static void write_layout(const tabia_board *b, tabia_put *put, void *context) {
  arena *keep = arena_new();
  text out = text_new(keep);
  layout_write(&b->layout, &b->samples, &out);
  put(context, text_string(&out), out.length);
  arena_free(keep);
}

/* Without memory, nothing is written. */
void tabia_board_write_layout(const tabia_board *b, tabia_put *put, void *context) {
  API_TRY_IN(NULL, write_layout(b, put, context), (void)0);
}
