#include "base/json.h"

#include <inttypes.h>
#include <math.h>

json_writer json_to(text *out) { return (json_writer){.out = out}; }

static void add_quoted_byte(text *out, unsigned char c) {
  switch (c) {
    case '"': text_add(out, "\\\""); break;
    case '\\': text_add(out, "\\\\"); break;
    case '\n': text_add(out, "\\n"); break;
    case '\r': text_add(out, "\\r"); break;
    case '\t': text_add(out, "\\t"); break;
    default:
      if (c < 0x20)
        text_add_format(out, "\\u%04x", c);
      else
        text_add_char(out, (char)c);
  }
}

/* The length of the UTF-8 character at `at`, or 0 when it is none. */
static size_t utf8_length(const unsigned char *at, size_t left) {
  if (at[0] < 0x80) return 1;
  const size_t length = at[0] >= 0xf5   ? 0
                        : at[0] >= 0xf0 ? 4
                        : at[0] >= 0xe0 ? 3
                        : at[0] >= 0xc2 ? 2
                                        : 0;
  if (length == 0 || length > left) return 0;
  for (size_t i = 1; i < length; i++)
    if ((at[i] & 0xc0) != 0x80) return 0;
  return length;
}

static void add_quoted(text *out, slice value) {
  const unsigned char *at = (const unsigned char *)value.start;
  const unsigned char *end = at + value.length;
  text_add_char(out, '"');
  while (at < end) {
    const size_t length = utf8_length(at, (size_t)(end - at));
    if (length == 0)
      text_add(out, "\\ufffd");
    else if (length == 1)
      add_quoted_byte(out, *at);
    else
      text_add_bytes(out, (const char *)at, length);
    at += length ? length : 1;
  }
  text_add_char(out, '"');
}

static void begin_value(json_writer *w, const char *key) {
  if (w->needs_comma) text_add_char(w->out, ',');
  w->needs_comma = true;
  if (!key) return;
  add_quoted(w->out, slice_of(key));
  text_add_char(w->out, ':');
}

static void open_with(json_writer *w, const char *key, char bracket) {
  begin_value(w, key);
  text_add_char(w->out, bracket);
  w->needs_comma = false;
}

static void close_with(json_writer *w, char bracket) {
  text_add_char(w->out, bracket);
  w->needs_comma = true;
}

void json_open_object(json_writer *w, const char *key) { open_with(w, key, '{'); }
void json_close_object(json_writer *w) { close_with(w, '}'); }
void json_open_array(json_writer *w, const char *key) { open_with(w, key, '['); }
void json_close_array(json_writer *w) { close_with(w, ']'); }

void json_put_slice(json_writer *w, const char *key, slice value) {
  begin_value(w, key);
  add_quoted(w->out, value);
}

void json_put_string(json_writer *w, const char *key, const char *value) {
  if (value)
    json_put_slice(w, key, slice_of(value));
  else
    json_put_null(w, key);
}

static void put_digits(json_writer *w, const char *key, double value, int digits) {
  begin_value(w, key);
  if (isfinite(value))
    text_add_format(w->out, "%.*g", digits, value);
  else
    text_add(w->out, "null");
}

void json_put_number(json_writer *w, const char *key, double value) {
  put_digits(w, key, value, 6);
}

void json_put_value(json_writer *w, const char *key, double value) {
  put_digits(w, key, value, 12);
}

void json_put_integer(json_writer *w, const char *key, int64_t value) {
  begin_value(w, key);
  text_add_format(w->out, "%" PRId64, value);
}

void json_put_bool(json_writer *w, const char *key, bool value) {
  begin_value(w, key);
  text_add(w->out, value ? "true" : "false");
}

void json_put_null(json_writer *w, const char *key) {
  begin_value(w, key);
  text_add(w->out, "null");
}

void json_put_json(json_writer *w, const char *key, const char *value) {
  begin_value(w, key);
  text_add(w->out, value);
}
