/* A text and its name, and the conversion of byte offsets to lines and columns.

   A line ends with LF, CR LF, or CR alone.  Lines and columns count from 1.  A byte that is not
   UTF-8 counts as one character; an offset inside a character has the column of that character. */
#ifndef TABIA_READ_SOURCE_H
#define TABIA_READ_SOURCE_H

#include "base/diag.h"
#include "base/text.h"

/* Offsets are 32 bits wide, and a few values beyond the end must stay free. */
#define SOURCE_MAX_BYTES (UINT32_MAX - 16)

typedef struct source {
  const char *name;  /* as the user gave it; "-" is standard input */
  const char *bytes; /* `length` bytes, then a NUL */
  uint32_t length;
  uint32_t *line_starts; /* made on demand */
  uint32_t line_count;
  struct source_mark *marks; /* so too, unless the text is ASCII alone */
} source;

typedef struct place {
  uint32_t line;
  uint32_t column; /* in characters, as people count */
  uint32_t bytes;  /* the column in bytes of UTF-8 ... */
  uint32_t utf16;  /* ... and in units of UTF-16, as editors count */
} place;

/* Reads a whole file, or standard input for "-".  False: a diagnostic says why. */
bool source_load(source *s, const char *path, arena *keep, diag_sink *d);

/* A source over `length` bytes that stay where they are; bytes[length] must be NUL. */
source source_of(const char *name, const char *bytes, uint32_t length);

/* Indexes lines and characters, once; then the place of an offset takes the logarithm of the number
   of lines, however long they are. */
void source_index_lines(source *s, arena *keep);
place source_place(const source *s, uint32_t offset);
slice source_line(const source *s, uint32_t line); /* without its line end */
slice source_slice(const source *s, span where);

/* The bytes of the UTF-8 character at `at`, 1 to 4; 0 when it is none. */
uint32_t utf8_length(const char *at, const char *end);

#endif
