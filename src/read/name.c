#include "read/name.h"

#include "read/escape.h"

static bool is_digit(char c) { return c >= '0' && c <= '9'; }
static bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
static bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
static bool is_word_byte(char c) {
  return is_lower(c) || is_upper(c) || is_digit(c) || c == '_' || (uint8_t)c >= 0x80;
}

static bool is_all_word(slice name) {
  for (size_t i = 0; i < name.length; i++)
    if (!is_word_byte(name.start[i])) return false;
  return true;
}

static bool is_all_digits(slice name) {
  for (size_t i = 0; i < name.length; i++)
    if (!is_digit(name.start[i])) return false;
  return name.length > 0;
}

static slice without_first(slice name) { return (slice){name.start + 1, name.length - 1}; }

/* ---- infix ---- */

/* Words that may hold single signs between letters: `not-filled`. */
static bool is_plain_word(slice name) {
  if (!is_word_byte(name.start[0]) || name.start[0] == '_') return false;
  if (escape_has_odd_bytes(name)) return false;
  for (size_t i = 1; i < name.length; i++) {
    const bool is_sign = name.start[i] == '-' || name.start[i] == '+';
    if (!is_sign && !is_word_byte(name.start[i])) return false;
    if (is_sign && (i + 1 == name.length || !is_word_byte(name.start[i + 1]))) return false;
  }
  return !slice_equals(name, "not") && !slice_equals(name, "and") && !slice_equals(name, "or");
}

static bool is_signed_number(slice name) {
  return (name.start[0] == '-' || name.start[0] == '+') && is_all_digits(without_first(name));
}

static void print_constant(const symbol_table *symbols, symbol_id s, text *out) {
  slice name = symbol_name(symbols, s);
  if (is_upper(name.start[0])) name = symbol_folded(symbols, s);
  if (is_plain_word(name) || is_signed_number(name))
    text_add_bytes(out, name.start, name.length);
  else
    escape_add_quoted(name, out);
}

/* ?x is X; ?_ must not become `_`, which is another variable each time. */
static void print_variable(slice name, text *out) {
  const slice bare = without_first(name);
  const char first = bare.start[0];
  if (!is_all_word(bare) || escape_has_odd_bytes(bare)) {
    text_add_char(out, '?');
    escape_add_quoted(bare, out);
  } else if (is_lower(first) || is_upper(first)) {
    text_add_char(out, is_lower(first) ? (char)(first - 'a' + 'A') : first);
    text_add_bytes(out, bare.start + 1, bare.length - 1);
  } else if (first == '_' && bare.length > 1) {
    text_add_bytes(out, bare.start, bare.length);
  } else {
    text_add_bytes(out, name.start, name.length);
  }
}

void name_print(const symbol_table *symbols, symbol_id s, notation n, text *out) {
  const slice name = symbol_name(symbols, s);
  const bool is_variable = symbol_is_variable(symbols, s);
  if (n == NOTATION_KIF)
    escape_add_kif(name, is_variable, out);
  else if (is_variable)
    print_variable(name, out);
  else
    print_constant(symbols, s, out);
}
