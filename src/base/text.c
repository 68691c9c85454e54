#include "base/text.h"

#include <inttypes.h>
#include <string.h>

slice slice_of(const char *words) { return (slice){words, strlen(words)}; }

bool slice_equals(slice a, const char *words) {
  return a.length == strlen(words) && memcmp(a.start, words, a.length) == 0;
}

const char *plural(uint64_t count) { return count == 1 ? "" : "s"; }

void text_grow(text *t, size_t extra) {
  const size_t need = t->length + extra + 1;
  size_t larger = t->capacity < 64 ? 64 : t->capacity * 2;
  if (larger < need) larger = need;
  t->bytes = arena_grow(t->keep, t->bytes, t->capacity, larger);
  t->capacity = larger;
}

text text_new(arena *keep) {
  text t = {.keep = keep};
  text_grow(&t, 0);
  t.bytes[0] = '\0';
  return t;
}

void text_add_number(text *t, uint64_t number) {
  char digits[24];
  char *at = digits + sizeof digits;
  do {
    *--at = (char)('0' + number % 10);
    number /= 10;
  } while (number);
  text_add_bytes(t, at, (size_t)(digits + sizeof digits - at));
}

void text_add_format(text *t, const char *format, ...) {
  va_list list;
  va_start(list, format);
  text_add_format_list(t, format, list);
  va_end(list);
}

void text_add_format_list(text *t, const char *format, va_list list) {
  va_list again;
  va_copy(again, list);
  const int length = vsnprintf(NULL, 0, format, list);
  if (length > 0) {
    if (t->capacity - t->length <= (size_t)length) text_grow(t, (size_t)length);
    vsnprintf(t->bytes + t->length, (size_t)length + 1, format, again);
    t->length += (size_t)length;
  }
  va_end(again);
}

void text_add_escaped(text *t, const char *words) {
  for (; *words; words++) {
    if (*words == '"' || *words == '\\') text_add_char(t, '\\');
    text_add_char(t, *words);
  }
}

void text_add_quoted(text *t, const char *words) {
  text_add_char(t, '"');
  text_add_escaped(t, words);
  text_add_char(t, '"');
}

void text_clear(text *t) {
  t->length = 0;
  t->bytes[0] = '\0';
}

const char *text_string(text *t) { return t->bytes; }

/* ---- sinks ---- */

/* Long enough for system calls to cost little, and short enough to stay in the nearest memory. */
enum { PIECE = 16 * 1024 };

static void add_piece(void *context, const char *bytes, size_t length) {
  text_add_bytes(context, bytes, length);
}

text_sink text_sink_to(text *out) { return (text_sink){add_piece, out}; }

void text_pour(text *t, text_sink to) {
  to.take(to.context, t->bytes, t->length);
  text_clear(t);
}

void text_pour_piece(text *t, text_sink to) {
  if (t->length >= PIECE) text_pour(t, to);
}
