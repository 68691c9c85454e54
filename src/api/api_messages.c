#include "api/api.h"

#include "base/text.h"

#include <string.h>

typedef struct message {
  tabia_severity severity;
  const char *code, *words, *hint, *file;
  place at; /* line 0: none */
} message;

struct tabia_messages {
  arena *keep;
  arena *texts; /* and the list itself */
  VEC(message) all;
};

tabia_messages *tabia_messages_new(void) {
  arena *keep = arena_new();
  tabia_messages *log = arena_alloc_zero(keep, sizeof *log);
  *log = (tabia_messages){.keep = keep, .texts = arena_new()};
  return log;
}

void tabia_messages_free(tabia_messages *log) {
  if (!log) return;
  arena_free(log->texts);
  arena_free(log->keep);
}

void tabia_messages_clear(tabia_messages *log) {
  arena_clear(log->texts);
  *log = (tabia_messages){.keep = log->keep, .texts = log->texts};
}

/* ---- asking ---- */

uint32_t tabia_messages_count(const tabia_messages *log) { return log->all.count; }

tabia_severity tabia_message_severity(const tabia_messages *log, uint32_t i) {
  return log->all.items[i].severity;
}

const char *tabia_message_code(const tabia_messages *log, uint32_t i) {
  return log->all.items[i].code;
}

const char *tabia_message_text(const tabia_messages *log, uint32_t i) {
  return log->all.items[i].words;
}

const char *tabia_message_hint(const tabia_messages *log, uint32_t i) {
  return log->all.items[i].hint;
}

const char *tabia_message_file(const tabia_messages *log, uint32_t i) {
  return log->all.items[i].file;
}

uint32_t tabia_message_line(const tabia_messages *log, uint32_t i) {
  return log->all.items[i].at.line;
}

uint32_t tabia_message_column(const tabia_messages *log, uint32_t i) {
  return log->all.items[i].at.column;
}

static void show(text *out, const message *m) {
  if (m->file) text_add(out, m->file);
  if (m->file && m->at.line) text_add_format(out, ":%u:%u", m->at.line, m->at.column);
  text_add_format(out, "%s%s: %s", m->file ? ": " : "", severity_name((severity)m->severity),
                  m->words);
  if (*m->code) text_add_format(out, " [%s]", m->code);
  if (m->hint) text_add_format(out, "\n  hint: %s", m->hint);
  if (out->bytes[out->length - 1] != '\n') text_add_char(out, '\n');
}

const char *tabia_messages_text(tabia_messages *log) {
  text shown = text_new(log->texts);
  for (uint32_t i = 0; i < log->all.count; i++) show(&shown, &log->all.items[i]);
  return text_string(&shown);
}

/* ---- telling ---- */

static const char *kept(tabia_messages *log, const char *words) {
  return words ? arena_copy_text(log->texts, words, strlen(words)) : NULL;
}

static void add(tabia_messages *log, message m, const source *s, span where) {
  m.words = kept(log, m.words);
  m.hint = kept(log, m.hint);
  m.file = s ? kept(log, s->name) : NULL;
  if (s && where.start != UINT32_MAX) m.at = source_place(s, where.start);
  vec_push(log->texts, &log->all, m);
}

/* The hints of limits tell of options that only the program has. */
static const char *hint_for_callers(const diag *g) {
  return g->kind == DIAG_E801 || g->kind == DIAG_E802 ? NULL : g->hint;
}

static void add_diag(tabia_messages *log, const diag *g, const source *s) {
  const message first = {.severity = (tabia_severity)diag_severity(g),
                         .code = diag_infos[g->kind].code,
                         .words = g->message,
                         .hint = hint_for_callers(g)};
  add(log, first, s, g->where);
  for (const diag_related *r = g->related; r; r = r->next) {
    const message note = {.severity = TABIA_NOTE, .code = "", .words = r->message};
    add(log, note, s, r->where);
  }
}

void api_tell(tabia_messages *log, diag_sink *d, const source *s) {
  if (!log || !d->all.count) return;
  arena *scratch = arena_new();
  source indexed = *s;
  source_index_lines(&indexed, scratch);
  diag_sort(d);
  for (uint32_t i = 0; i < d->all.count; i++) add_diag(log, &d->all.items[i], &indexed);
  arena_free(scratch);
}

void api_tell_error(tabia_messages *log, const char *format, ...) {
  va_list list;
  if (!log) return;
  text words = text_new(log->texts);
  va_start(list, format);
  text_add_format_list(&words, format, list);
  va_end(list);
  const message m = {.severity = TABIA_ERROR, .code = "", .words = text_string(&words)};
  add(log, m, NULL, SPAN_NONE);
}

tabia_status api_tell_fault(tabia_messages *log, const game_fault *f, const machine *m) {
  if (f->kind == FAULT_NONE) return TABIA_OK;
  arena *scratch = arena_new();
  text words = text_new(scratch);
  fault_describe(f, m, &words);
  api_tell_error(log, "%s", text_string(&words));
  arena_free(scratch);
  return TABIA_FAULTY;
}

const char *tabia_status_text(tabia_status s) {
  switch (s) {
    case TABIA_OK: return "all is well";
    case TABIA_FAULTY: return "the rules or the game have a fault";
    case TABIA_MISUSE: return "an argument is wrong";
    case TABIA_UNREADABLE: return "it cannot be read";
    case TABIA_LIMIT: return "a limit was reached";
  }
  return "no status";
}
