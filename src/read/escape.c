#include "read/escape.h"

#include "read/parse.h"

/* ---- bytes that must be written as numbers ---- */

static bool is_control(char c) { return (uint8_t)c < 0x20 || c == 0x7f; }

uint32_t escape_odd_bytes(const char *at, const char *end) {
  if ((uint8_t)*at < 0x80) return is_control(*at);
  return parse_odd_bytes(at, end);
}

static uint32_t character_length(const char *at, const char *end) {
  const uint32_t length = utf8_length(at, end);
  return length ? length : 1;
}

bool escape_has_odd_bytes(slice name) {
  const char *end = name.start + name.length;
  for (const char *at = name.start; at < end; at += character_length(at, end))
    if (escape_odd_bytes(at, end)) return true;
  return false;
}

static void add_hex(const char *at, uint32_t count, text *out) {
  for (uint32_t i = 0; i < count; i++) text_add_format(out, "\\x%02x\\", (unsigned)(uint8_t)at[i]);
}

/* ---- KIF ---- */

static bool is_all_dots(slice name) {
  for (size_t i = 0; i < name.length; i++)
    if (name.start[i] != '.') return false;
  return true;
}

static bool ends_name(char c) { return c == ' ' || c == '(' || c == ')' || c == ';' || c == '\\'; }

/* Would the name be something else if it began like that: a variable, a comment? */
static bool begins_otherwise(slice name, bool is_variable) {
  if (name.length == 0) return false;
  if (name.start[0] == '?') return !is_variable;
  return name.length > 1 && name.start[0] == '#' && name.start[1] == '|';
}

bool escape_is_plain_kif(slice name, bool is_variable) {
  for (size_t i = 0; i < name.length; i++)
    if (ends_name(name.start[i])) return false;
  return !begins_otherwise(name, is_variable) && !is_all_dots(name) && !escape_has_odd_bytes(name);
}

void escape_add_kif(slice name, bool is_variable, text *out) {
  const bool only_dots = is_all_dots(name);
  const char *end = name.start + name.length;
  for (const char *at = name.start; at < end;) {
    const uint32_t odd = escape_odd_bytes(at, end);
    const uint32_t length = odd ? odd : character_length(at, end);
    const bool is_first = at == name.start && begins_otherwise(name, is_variable);
    if (odd) {
      add_hex(at, odd, out);
    } else {
      if (ends_name(*at) || only_dots || is_first) text_add_char(out, '\\');
      text_add_bytes(out, at, length);
    }
    at += length;
  }
}

/* ---- infix ---- */

void escape_add_in_quotes(slice name, text *out) {
  const char *end = name.start + name.length;
  for (const char *at = name.start; at < end;) {
    const uint32_t odd = escape_odd_bytes(at, end);
    const uint32_t length = odd ? odd : character_length(at, end);
    if (*at == '\'' || *at == '\\') text_add_char(out, *at);
    if (odd)
      add_hex(at, odd, out);
    else
      text_add_bytes(out, at, length);
    at += length;
  }
}

void escape_add_quoted(slice name, text *out) {
  text_add_char(out, '\'');
  escape_add_in_quotes(name, out);
  text_add_char(out, '\'');
}

/* ---- reading ---- */

static int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

bool escape_is_hex(const char *at, const char *end) {
  return end - at >= HEX_ESCAPE_LENGTH && at[0] == '\\' && at[1] == 'x' && hex_digit(at[2]) >= 0 &&
         hex_digit(at[3]) >= 0 && at[4] == '\\';
}

char escape_hex_byte(const char *at) { return (char)(hex_digit(at[2]) << 4 | hex_digit(at[3])); }

size_t escape_length(const char *at, const char *end) {
  if (escape_is_hex(at, end)) return HEX_ESCAPE_LENGTH;
  return at + 1 < end ? 2 : 1;
}
