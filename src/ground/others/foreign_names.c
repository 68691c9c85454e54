#include "ground/others/foreign_names.h"

#include "read/escape.h"
#include "read/source.h"

static bool is_digit(char c) { return c >= '0' && c <= '9'; }
static bool is_small(char c) { return c >= 'a' && c <= 'z'; }
static bool is_capital(char c) { return c >= 'A' && c <= 'Z'; }
static bool is_word_byte(char c) { return is_small(c) || is_capital(c) || is_digit(c) || c == '_'; }

static bool has_word_bytes_alone(slice name) {
  for (size_t i = 0; i < name.length; i++)
    if (!is_word_byte(name.start[i])) return false;
  return true;
}

/* A word that is a constant in both languages. */
static bool is_word(slice name) {
  return has_word_bytes_alone(name) && name.length && is_small(name.start[0]) &&
         !slice_equals(name, "not");
}

/* 0, or digits that do not begin with it, so few that gringo takes them for that number; they may
   be negative. */
static bool is_number(slice name) {
  enum { DIGITS_MAX = 9 };
  const size_t sign = name.length && name.start[0] == '-';
  const size_t digits = name.length - sign;
  if (digits == 0 || digits > DIGITS_MAX) return false;
  for (size_t i = sign; i < name.length; i++)
    if (!is_digit(name.start[i])) return false;
  return name.start[sign] != '0' || name.length == 1;
}

static slice name_of_symbol(const symbol_table *symbols, symbol_id s) {
  const slice name = symbol_name(symbols, s);
  return name.length && is_capital(name.start[0]) ? symbol_folded(symbols, s) : name;
}

static slice name_of(const term_table *t, term_id id) {
  return name_of_symbol(t->symbols, term_get(t, id)->name);
}

static void add_name(slice name, text *out) { text_add_bytes(out, name.start, name.length); }

static void add_arguments(const term_table *t, term_id id, text *out,
                          void (*add)(const term_table *t, term_id id, text *out)) {
  const uint32_t count = term_get(t, id)->arg_count;
  for (uint32_t i = 0; i < count; i++) {
    text_add(out, i ? ", " : "(");
    add(t, term_arg(t, id, i), out);
  }
  if (count) text_add_char(out, ')');
}

/* ---- SWI-Prolog ---- */

/* To Prolog \xe9\ is the character, not the byte. */
static bool is_spelled_out(slice name) {
  const char *end = name.start + name.length;
  if (name.length && name.start[0] == '\x1b') return true;
  for (const char *at = name.start; at < end; at += utf8_length(at, end))
    if ((uint8_t)*at >= 0x80 && escape_odd_bytes(at, end)) return true;
  return false;
}

static void add_hex(slice name, text *out) {
  for (size_t i = 0; i < name.length; i++)
    text_add_format(out, "%02x", (unsigned)(uint8_t)name.start[i]);
}

void foreign_prolog_quoted(const char *prefix, slice name, text *out) {
  text_add_format(out, "'%s", prefix);
  if (is_spelled_out(name)) {
    text_add(out, "\\x1b\\");
    add_hex(name, out);
  } else {
    escape_add_in_quotes(name, out);
  }
  text_add_char(out, '\'');
}

void foreign_prolog_term(const term_table *t, term_id id, text *out) {
  const slice name = name_of(t, id);
  if (is_word(name) || (is_number(name) && !term_get(t, id)->arg_count))
    add_name(name, out);
  else
    foreign_prolog_quoted("", name, out);
  add_arguments(t, id, out, foreign_prolog_term);
}

static bool is_keyword(const term *atom) {
  return symbol_is_keyword_relation(atom->name) && atom->arg_count == keyword_arity(atom->name);
}

void foreign_prolog_relation(const term_table *t, term_id id, text *out) {
  const slice name = name_of(t, id);
  if (is_keyword(term_get(t, id))) {
    add_name(name, out);
  } else if (has_word_bytes_alone(name)) {
    text_add(out, "g_");
    add_name(name, out);
  } else {
    foreign_prolog_quoted("g_", name, out);
  }
}

void foreign_prolog_atom(const term_table *t, term_id id, text *out) {
  foreign_prolog_relation(t, id, out);
  add_arguments(t, id, out, foreign_prolog_term);
}

/* ---- gringo ---- */

static void add_string(slice name, text *out) {
  text_add_char(out, '"');
  for (size_t i = 0; i < name.length; i++) {
    if (name.start[i] == '"' || name.start[i] == '\\') text_add_char(out, '\\');
    text_add_char(out, name.start[i]);
  }
  text_add_char(out, '"');
}

static void add_encoded(slice name, text *out) {
  if (!name.length || !is_small(name.start[0]) || slice_equals(name, "not")) text_add(out, "f''");
  for (size_t i = 0; i < name.length; i++) {
    const char c = name.start[i];
    if (is_word_byte(c))
      text_add_char(out, c);
    else
      text_add_format(out, "'%02x", (unsigned)(uint8_t)c);
  }
}

void foreign_asp_name(const symbol_table *symbols, symbol_id s, bool has_arguments, text *out) {
  const slice name = name_of_symbol(symbols, s);
  if (has_arguments || escape_has_odd_bytes(name))
    add_encoded(name, out);
  else if (is_word(name) || is_number(name))
    add_name(name, out);
  else
    add_string(name, out);
}

bool foreign_asp_variable(const symbol_table *symbols, symbol_id variable, text *out) {
  const slice name = symbol_name(symbols, variable);
  const slice bare = {name.start + 1, name.length - 1};
  if (!bare.length || !has_word_bytes_alone(bare)) return false;
  const bool is_lower = is_small(bare.start[0]);
  if (!is_lower && !is_capital(bare.start[0])) return false;
  text_add_char(out, is_lower ? (char)(bare.start[0] - 'a' + 'A') : bare.start[0]);
  text_add_bytes(out, bare.start + 1, bare.length - 1);
  return true;
}

void foreign_asp_atom(const term_table *t, term_id id, text *out) {
  foreign_asp_name(t->symbols, term_get(t, id)->name, true, out);
  add_arguments(t, id, out, foreign_asp_term);
}

void foreign_asp_term(const term_table *t, term_id id, text *out) {
  const term *it = term_get(t, id);
  foreign_asp_name(t->symbols, it->name, it->arg_count > 0, out);
  add_arguments(t, id, out, foreign_asp_term);
}
