#include "cli/diag_show.h"

#include "read/excerpt.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool stream_has_colour(FILE *stream) {
  const char *no_colour = getenv("NO_COLOR");
  const char *terminal = getenv("TERM");
  return isatty(fileno(stream)) && !(no_colour && *no_colour) &&
         !(terminal && strcmp(terminal, "dumb") == 0);
}

/* ---- colours ---- */

static const char *colour_of(severity s) {
  return s == SEVERITY_ERROR ? "\033[1;31m" : s == SEVERITY_WARNING ? "\033[1;35m" : "\033[1;36m";
}

static void begin(const diag_view *v, const char *colour) {
  if (v->colour) fputs(colour, v->out);
}

static void end(const diag_view *v) {
  if (v->colour) fputs("\033[0m", v->out);
}

static void put_excerpt(const diag_view *v, span where, severity s) {
  arena *scratch = arena_new();
  text out = text_new(scratch);
  text_add(&out, "");
  excerpt_add(&out, v->source, where, v->colour ? colour_of(s) : "");
  fputs(text_string(&out), v->out);
  arena_free(scratch);
}

/* ---- the message ---- */

static void put_message(const diag_view *v, span where, severity s, const char *message,
                        const char *code) {
  fputs(v->source->name, v->out);
  if (where.start != UINT32_MAX) {
    const place at = source_place(v->source, where.start);
    fprintf(v->out, ":%u:%u", at.line, at.column);
  }
  fputs(": ", v->out);
  begin(v, colour_of(s));
  fprintf(v->out, "%s:", severity_name(s));
  end(v);
  fprintf(v->out, code ? " %s [%s]\n" : " %s\n", message, code);
}

void diag_show(const diag_view *v, const diag *g) {
  const severity s = diag_severity(g);
  put_message(v, g->where, s, g->message, diag_infos[g->kind].code);
  put_excerpt(v, g->where, s);
  for (const diag_related *r = g->related; r; r = r->next) {
    put_message(v, r->where, SEVERITY_NOTE, r->message, NULL);
    put_excerpt(v, r->where, SEVERITY_NOTE);
  }
  if (g->hint) fprintf(v->out, "      = hint: %s\n", g->hint);
}

void diag_show_all(const diag_view *v, const diag_sink *d) {
  for (uint32_t i = 0; i < d->all.count; i++)
    if (diag_severity(&d->all.items[i]) >= v->least) diag_show(v, &d->all.items[i]);
}

void diag_report(const source *s, const diag_sink *d, severity least) {
  const diag_view view = {
      .source = s, .out = stderr, .colour = stream_has_colour(stderr), .least = least};
  diag_show_all(&view, d);
  const uint32_t more = diag_unkept(d, least);
  if (more)
    fprintf(stderr, "%s: %u more of the same kinds are not shown; `tabia check --all` shows them\n",
            s->name, more);
}

/* ---- JSON ---- */

static void write_place(json_writer *w, const source *s, uint32_t offset, const char *line,
                        const char *column) {
  if (offset == UINT32_MAX) {
    json_put_null(w, line);
    json_put_null(w, column);
    return;
  }
  const place at = source_place(s, offset);
  json_put_integer(w, line, at.line);
  json_put_integer(w, column, at.column);
}

static void write_span(json_writer *w, const source *s, span where) {
  write_place(w, s, where.start, "line", "column");
  write_place(w, s, where.end, "end_line", "end_column");
}

static void write_related(json_writer *w, const source *s, const diag *g) {
  json_open_array(w, "related");
  for (const diag_related *r = g->related; r; r = r->next) {
    json_open_object(w, NULL);
    write_span(w, s, r->where);
    json_put_string(w, "message", r->message);
    json_close_object(w);
  }
  json_close_array(w);
}

static void write_diag(json_writer *w, const source *s, const diag *g) {
  json_open_object(w, NULL);
  json_put_string(w, "code", diag_infos[g->kind].code);
  json_put_string(w, "severity", severity_name(diag_severity(g)));
  write_span(w, s, g->where);
  json_put_string(w, "message", g->message);
  json_put_string(w, "hint", g->hint);
  write_related(w, s, g);
  json_close_object(w);
}

void diag_write_unkept(json_writer *w, const char *key, const diag_sink *d) {
  json_open_object(w, key);
  for (int kind = 0; kind < DIAG_KIND_COUNT; kind++)
    if (d->unkept_of_kind[kind])
      json_put_integer(w, diag_infos[kind].code, d->unkept_of_kind[kind]);
  json_close_object(w);
}

void diag_write_json(json_writer *w, const char *key, const source *s, const diag_sink *d) {
  json_open_array(w, key);
  for (uint32_t i = 0; i < d->all.count; i++) write_diag(w, s, &d->all.items[i]);
  json_close_array(w);
}
