#include "read/excerpt.h"

/* A line is shown through a window when it is longer than a terminal is wide. */
enum { WINDOW = 100, BEFORE = 40 };

typedef struct excerpt {
  slice line;
  const char *from; /* what is marked; within the line */
  const char *to;
  const char *start; /* what is shown */
  const char *stop;
} excerpt;

static const char *next_character(const char *at, const char *stop) {
  const uint32_t length = utf8_length(at, stop);
  return at + (length ? length : 1);
}

static const char *character_start(const char *at, const char *start) {
  while (at > start && ((uint8_t)*at & 0xc0) == 0x80) at--;
  return at;
}

/* The first line of the span; a span over several lines is marked to the end of its first. */
static excerpt excerpt_of(const source *s, span where) {
  const place at = source_place(s, where.start);
  const slice line = source_line(s, at.line);
  const char *line_end = line.start + line.length;
  excerpt e = {.line = line, .from = s->bytes + where.start, .to = s->bytes + where.end};
  if (e.from > line_end) e.from = line_end;
  if (e.to > line_end) e.to = line_end;
  e.start = line.start;
  e.stop = line_end;
  if (line.length <= WINDOW) return e;
  if (e.from - line.start > BEFORE) e.start = character_start(e.from - BEFORE, line.start);
  if (line_end - e.start > WINDOW) e.stop = character_start(e.start + WINDOW, e.start);
  if (e.to > e.stop) e.to = e.stop;
  return e;
}

/* One column for each character: blanks for tabs, a mark for what cannot be shown. */
static void put_characters(text *out, const char *at, const char *stop) {
  while (at < stop) {
    const char *next = next_character(at, stop);
    const uint8_t first = (uint8_t)*at;
    if (first == '\t')
      text_add_char(out, ' ');
    else if (first < 0x20 || first == 0x7f || utf8_length(at, stop) == 0)
      text_add(out, "\xef\xbf\xbd");
    else
      text_add_bytes(out, at, (size_t)(next - at));
    at = next;
  }
}

static void put_columns(text *out, const char *at, const char *stop, char c) {
  for (; at < stop; at = next_character(at, stop)) text_add_char(out, c);
}

static void put_line(text *out, const excerpt *e, uint32_t line) {
  text_add_format(out, "%5u | ", line);
  if (e->start > e->line.start) text_add(out, "...");
  put_characters(out, e->start, e->stop);
  if (e->stop < e->line.start + e->line.length) text_add(out, "...");
  text_add_char(out, '\n');
}

static void put_caret(text *out, const excerpt *e, const char *colour) {
  text_add(out, "      | ");
  if (e->start > e->line.start) text_add(out, "   ");
  put_columns(out, e->start, e->from, ' ');
  text_add(out, colour);
  text_add_char(out, '^');
  if (e->from < e->to) put_columns(out, next_character(e->from, e->to), e->to, '~');
  if (*colour) text_add(out, "\033[0m");
  text_add_char(out, '\n');
}

void excerpt_add(text *out, const source *s, span where, const char *colour) {
  if (where.start == UINT32_MAX || where.end == 0) return;
  const excerpt e = excerpt_of(s, where);
  put_line(out, &e, source_place(s, where.start).line);
  put_caret(out, &e, colour);
}
