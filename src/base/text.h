/* Text that is built piece by piece, and slices of text that lie elsewhere. */
#ifndef TABIA_BASE_TEXT_H
#define TABIA_BASE_TEXT_H

#include "base/arena.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* A slice of somebody else's bytes; not ended by NUL. */
typedef struct slice {
  const char *start;
  size_t length;
} slice;

slice slice_of(const char *text); /* of a NUL-ended text */
bool slice_equals(slice a, const char *text);

/* What a noun ends with after that number: "" or "s". */
const char *plural(uint64_t count);

typedef struct text {
  arena *keep;
  char *bytes; /* always NUL-ended after the first call */
  size_t length;
  size_t capacity;
} text;

text text_new(arena *keep);

/* Makes room for more bytes and the NUL behind them. */
void text_grow(text *t, size_t extra);

static inline void text_add_bytes(text *t, const char *bytes, size_t length) {
  if (t->capacity - t->length <= length) text_grow(t, length);
  if (length) memcpy(t->bytes + t->length, bytes, length);
  t->length += length;
  t->bytes[t->length] = '\0';
}

static inline void text_add(text *t, const char *words) { text_add_bytes(t, words, strlen(words)); }
static inline void text_add_char(text *t, char c) { text_add_bytes(t, &c, 1); }

/* With a backslash before each quotation mark and backslash, as in strings of Graphviz. */
void text_add_escaped(text *t, const char *words);
void text_add_quoted(text *t, const char *words); /* the same between quotation marks */
void text_add_number(text *t, uint64_t number);
void text_add_format(text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
void text_add_format_list(text *t, const char *format, va_list list)
    __attribute__((format(printf, 2, 0)));
void text_clear(text *t);
const char *text_string(text *t);

/* Where a long text goes, piece by piece. */
typedef struct text_sink {
  void (*take)(void *context, const char *bytes, size_t length);
  void *context;
} text_sink;

/* One that adds the pieces to a text. */
text_sink text_sink_to(text *out);

/* Gives the text away and clears it; the first only when it is long. */
void text_pour_piece(text *t, text_sink to);
void text_pour(text *t, text_sink to);

#endif
