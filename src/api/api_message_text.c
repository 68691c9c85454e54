/* Messages for people and for programs. */
#include "api/api_messages.h"

#include "base/json.h"
#include "read/excerpt.h"

#include <string.h>

typedef struct style {
  bool has_excerpts, has_colours;
} style;

static const char *colour_of(tabia_severity s, style how) {
  if (!how.has_colours) return "";
  return s == TABIA_ERROR ? "\033[1;31m" : s == TABIA_WARNING ? "\033[1;35m" : "\033[1;36m";
}

/* ---- for people ---- */

static void add_place(text *out, const message *m) {
  if (!m->source) return;
  text_add(out, m->source->name);
  if (m->where.start != UINT32_MAX) {
    const place at = source_place(m->source, m->where.start);
    text_add_format(out, ":%u:%u", at.line, at.column);
  }
  text_add(out, ": ");
}

static void add_message(text *out, const message *m, style how) {
  const char *colour = colour_of(m->severity, how);
  add_place(out, m);
  text_add_format(out, "%s%s:%s %s", colour, severity_name((severity)m->severity),
                  *colour ? "\033[0m" : "", m->words);
  if (*m->code) text_add_format(out, " [%s]", m->code);
  text_add_char(out, '\n');
  if (how.has_excerpts && m->source) excerpt_add(out, m->source, m->where, colour);
}

/* The message, the notes that belong to it, and its hint. */
static uint32_t add_group(text *out, const tabia_messages *log, uint32_t i, style how) {
  const message *first = &log->all.items[i];
  add_message(out, first, how);
  for (i++; i < log->all.count && log->all.items[i].severity == TABIA_NOTE; i++)
    add_message(out, &log->all.items[i], how);
  if (first->hint)
    text_add_format(out, "%s hint: %s\n", how.has_excerpts ? "      =" : " ", first->hint);
  return i;
}

static void add_dropped(text *out, const tabia_messages *log, tabia_severity least) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < DIAG_KIND_COUNT; i++)
    if ((tabia_severity)diag_infos[i].severity >= least) count += log->dropped[i];
  if (count) text_add_format(out, "%u more of the same kinds are not shown\n", count);
}

static void add_all(text *out, const tabia_messages *log, tabia_severity least, style how) {
  for (uint32_t i = 0; i < log->all.count;) {
    const bool is_wanted = log->all.items[i].severity >= least;
    text unwanted = text_new(out->keep);
    i = add_group(is_wanted ? out : &unwanted, log, i, how);
  }
  add_dropped(out, log, least);
}

static const char *messages_text(tabia_messages *log) {
  text shown = text_new(log->texts);
  add_all(&shown, log, TABIA_NOTE, (style){0});
  return text_string(&shown);
}

const char *tabia_messages_text(tabia_messages *log) {
  API_GUARDED(const char *, messages_text(log), "error: the system has no memory left [E802]\n");
}

/* ---- for programs ---- */

static void write_place(json_writer *w, const message *m, uint32_t offset, const char *line,
                        const char *column) {
  if (offset == UINT32_MAX) {
    json_put_null(w, line);
    json_put_null(w, column);
    return;
  }
  const place at = source_place(m->source, offset);
  json_put_integer(w, line, at.line);
  json_put_integer(w, column, at.column);
}

static void write_span(json_writer *w, const message *m) {
  write_place(w, m, m->where.start, "line", "column");
  write_place(w, m, m->where.end, "end_line", "end_column");
}

static void write_notes(json_writer *w, const tabia_messages *log, uint32_t i) {
  json_open_array(w, "related");
  for (; i < log->all.count && log->all.items[i].severity == TABIA_NOTE; i++) {
    json_open_object(w, NULL);
    write_span(w, &log->all.items[i]);
    json_put_string(w, "message", log->all.items[i].words);
    json_close_object(w);
  }
  json_close_array(w);
}

static void write_message(json_writer *w, const tabia_messages *log, uint32_t i) {
  const message *m = &log->all.items[i];
  json_open_object(w, NULL);
  json_put_string(w, "code", m->code);
  json_put_string(w, "severity", severity_name((severity)m->severity));
  write_span(w, m);
  json_put_string(w, "message", m->words);
  json_put_string(w, "hint", m->hint);
  write_notes(w, log, i + 1);
  json_close_object(w);
}

static void write_json(text *out, const tabia_messages *log, tabia_severity least) {
  json_writer w = json_to(out);
  json_open_array(&w, NULL);
  for (uint32_t i = 0; i < log->all.count; i++)
    if (log->all.items[i].severity != TABIA_NOTE && log->all.items[i].severity >= least)
      write_message(&w, log, i);
  json_close_array(&w);
}

static tabia_status write_messages(const tabia_messages *log, const char *format,
                                   tabia_severity least, tabia_put *put, void *context) {
  static const char *const formats[] = {"short", "text", "colour", "json"};
  uint32_t form = 0;
  while (form < 4 && strcmp(formats[form], format) != 0) form++;
  if (form == 4) return TABIA_MISUSE;
  arena *scratch = arena_new();
  text out = text_new(scratch);
  if (form == 3)
    write_json(&out, log, least);
  else
    add_all(&out, log, least, (style){.has_excerpts = form > 0, .has_colours = form == 2});
  put(context, text_string(&out), out.length);
  arena_free(scratch);
  return TABIA_OK;
}

tabia_status tabia_messages_write(const tabia_messages *log, const char *format,
                                  tabia_severity least, tabia_put *put, void *context) {
  API_GUARDED(tabia_status, write_messages(log, format, least, put, context), TABIA_LIMIT);
}
