#include "read/token.h"

#include "read/escape.h"
#include "read/parse.h"

#include <string.h>

enum { BAD, BLANK, LINE_END, LETTER, CAPITAL, DIGIT, QUOTE, ASK, MARK, SINGLE, FOREIGN, HIGH };

/* What a byte may begin; one row for 16 bytes. */
enum {
  X = BAD,
  _ = BLANK,
  N = LINE_END,
  A = LETTER,
  C = CAPITAL,
  D = DIGIT,
  Q = QUOTE,
  V = ASK,
  M = MARK,
  S = SINGLE,
  F = FOREIGN,
  H = HIGH
};
static const uint8_t class_of[256] = {
    X, X, X, X, X, X, X, X, X, _, N, _, _, N, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X,
    _, M, F, M, M, S, S, Q, S, S, M, M, S, M, S, M, D, D, D, D, D, D, D, D, D, D, M, S, M, M, M, V,
    M, C, C, C, C, C, C, C, C, C, C, C, C, C, C, C, C, C, C, C, C, C, C, C, C, C, C, F, M, F, M, C,
    F, A, A, A, A, A, A, A, A, A, A, A, A, A, A, A, A, A, A, A, A, A, A, A, A, A, A, F, S, F, S, X,
    H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H,
    H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H,
    H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H,
    H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H,
};

static inline int class_at(const char *at) { return class_of[(uint8_t)*at]; }

static uint32_t offset_of(const tokenizer *z, const char *at) {
  return (uint32_t)(at - z->t->source->bytes);
}

static span span_from(const tokenizer *z, const char *from) {
  return (span){offset_of(z, from), offset_of(z, z->at)};
}

tokenizer tokens_of(tree *t, arena *keep, arena *scratch, diag_sink *d) {
  tokenizer z = {.t = t, .keep = keep, .d = d, .last = TOKEN_STOP};
  z.at = z.line = parse_start(t->source);
  z.end = t->source->bytes + t->source->length;
  z.name = text_new(scratch);
  return z;
}

/* ---- blanks and comments ---- */

static void skip_line_end(tokenizer *z) {
  z->at += z->at[0] == '\r' && z->at[1] == '\n' ? 2 : 1;
  z->line = z->at;
}

static void skip_block_comment(tokenizer *z) {
  const char *from = z->at;
  for (z->at += 2; z->at < z->end; z->at++) {
    if (z->at[0] == '*' && z->at[1] == '/') {
      z->at += 2;
      vec_push(z->keep, &z->t->comments, span_from(z, from));
      return;
    }
    if (class_at(z->at) == LINE_END) z->line = z->at + 1;
  }
  z->at = z->end;
  const span opening = {offset_of(z, from), offset_of(z, from) + 2};
  diag *g = diag_add(z->d, DIAG_E110, opening, "this comment never ends");
  diag_hint(z->d, g, "end it with `*/`");
}

/* `;` is `or`, but where a clause must begin it can only be a comment of KIF. */
static bool begins_line_comment(const tokenizer *z) {
  return *z->at == '%' || (*z->at == ';' && z->last == TOKEN_STOP);
}

static bool skip_comment(tokenizer *z) {
  if (begins_line_comment(z))
    z->at = parse_line_comment(z->t, z->keep, z->at);
  else if (z->at[0] == '/' && z->at[1] == '*')
    skip_block_comment(z);
  else
    return false;
  return true;
}

static void skip_bad_bytes(tokenizer *z) {
  const char *from = z->at;
  while (z->at < z->end && class_at(z->at) == BAD) z->at++;
  parse_report_bytes(z->t->source, from, z->at, z->d);
}

static bool skip_odd_bytes(tokenizer *z) {
  const char *from = z->at;
  while (z->at < z->end && class_at(z->at) == HIGH) {
    const uint32_t odd = parse_odd_bytes(z->at, z->end);
    if (odd == 0) break;
    z->at += odd;
  }
  if (z->at == from) return false;
  parse_report_bytes(z->t->source, from, z->at, z->d);
  return true;
}

/* Up to the next token; returns whether a line ended on the way. */
static bool skip_blanks(tokenizer *z) {
  const char *line = z->line;
  while (z->at < z->end) {
    const int class = class_at(z->at);
    if (class == BLANK)
      z->at++;
    else if (class == LINE_END)
      skip_line_end(z);
    else if (class == BAD)
      skip_bad_bytes(z);
    else if (class == HIGH ? !skip_odd_bytes(z) : !skip_comment(z))
      break;
  }
  return z->line != line;
}

/* ---- names ---- */

static void skip_word_bytes(tokenizer *z) {
  for (;;) {
    const int class = class_at(z->at);
    if (class == LETTER || class == CAPITAL || class == DIGIT)
      z->at++;
    else if (class == HIGH && !parse_odd_bytes(z->at, z->end))
      z->at += utf8_length(z->at, z->end);
    else
      return;
  }
}

/* `+` and `-` belong to a word (`not-filled`, `n++`) unless they begin an arrow. */
static bool skip_signs(tokenizer *z) {
  const char *at = z->at;
  while (*at == '+' || *at == '-') at++;
  if (at == z->at || *at == '>' || *at == '<' || *at == '=') return false;
  z->at = at;
  return true;
}

static void skip_word(tokenizer *z) {
  do skip_word_bytes(z);
  while (skip_signs(z));
}

/* 1.5 is a name; `goal(x, 1).` ends with a full stop. */
static void skip_number(tokenizer *z) {
  const char *from = z->at;
  while (class_at(z->at) == DIGIT) z->at++;
  if (z->at > from && z->at[0] == '.' && class_at(z->at + 1) == DIGIT) z->at++;
  skip_word(z);
}

static token name_token(tokenizer *z, const char *from, slice name) {
  return (token){.kind = TOKEN_NAME,
                 .symbol = symbol_intern_constant(z->t->symbols, name),
                 .where = span_from(z, from)};
}

static token_kind kind_of_word(slice word) {
  if (slice_equals(word, "not")) return TOKEN_NOT;
  if (slice_equals(word, "and")) return TOKEN_AND;
  return slice_equals(word, "or") ? TOKEN_OR : TOKEN_NAME;
}

static token read_word(tokenizer *z) {
  const char *from = z->at;
  if (class_at(from) == DIGIT)
    skip_number(z);
  else
    skip_word(z);
  const slice word = {from, (size_t)(z->at - from)};
  token made = name_token(z, from, word);
  made.kind = kind_of_word(word);
  made.is_word = made.kind != TOKEN_NAME;
  return made;
}

/* A variable is stored with its `?`, as KIF writes it: z->name. */
static token variable_token(tokenizer *z, const char *from) {
  const slice name = {z->name.bytes, z->name.length};
  return (token){.kind = TOKEN_VARIABLE,
                 .symbol = symbol_intern(z->t->symbols, name),
                 .where = span_from(z, from)};
}

static token plain_variable_token(tokenizer *z, const char *from, const char *name) {
  text_clear(&z->name);
  text_add_char(&z->name, '?');
  text_add_bytes(&z->name, name, (size_t)(z->at - name));
  return variable_token(z, from);
}

static token read_capital(tokenizer *z) {
  const char *from = z->at;
  skip_word_bytes(z);
  if (z->at - from == 1 && *from == '_')
    return (token){.kind = TOKEN_FRESH, .where = span_from(z, from)};
  return plain_variable_token(z, from, from);
}

/* ---- quoted names ---- */

static token bad_token(tokenizer *z, const char *from) {
  return (token){.kind = TOKEN_BAD, .where = span_from(z, from)};
}

static void report_unclosed_quote(tokenizer *z, const char *quote) {
  const uint32_t offset = offset_of(z, quote);
  diag *g = diag_add(z->d, DIAG_E110, (span){offset, offset + 1}, "this quoted name never ends");
  diag_hint(z->d, g, "end it with `'` on the same line; write `''` for a quote inside");
}

static bool read_quoted_high(tokenizer *z) {
  if (skip_odd_bytes(z)) return true;
  const uint32_t length = utf8_length(z->at, z->end);
  text_add_bytes(&z->name, z->at, length);
  z->at += length;
  return true;
}

static bool read_quoted_hex(tokenizer *z) {
  text_add_char(&z->name, escape_hex_byte(z->at));
  z->at += HEX_ESCAPE_LENGTH;
  return true;
}

/* Adds one character of a quoted name; false where the name ends or cannot go on. */
static bool read_quoted_character(tokenizer *z) {
  const int class = class_at(z->at);
  if (class == BAD || class == LINE_END || (class == BLANK && *z->at != ' ')) return false;
  if (class == HIGH) return read_quoted_high(z);
  if (escape_is_hex(z->at, z->end)) return read_quoted_hex(z);
  if (class == QUOTE && z->at[1] != '\'') return false;
  if (class == QUOTE || (*z->at == '\\' && (z->at[1] == '\\' || z->at[1] == '\''))) z->at++;
  text_add_char(&z->name, *z->at++);
  return true;
}

/* Adds what is in quotes to z->name.  False: it never ends, or is nothing (reported). */
static bool read_quoted(tokenizer *z, const char *from) {
  const char *quote = z->at++;
  const size_t length = z->name.length;
  while (z->at < z->end && read_quoted_character(z)) {}
  if (*z->at != '\'' || z->at >= z->end) {
    report_unclosed_quote(z, quote);
    return false;
  }
  z->at++;
  if (z->name.length > length) return true;
  diag_add(z->d, DIAG_E104, span_from(z, from), "an empty name");
  return false;
}

static token read_quoted_name(tokenizer *z) {
  const char *from = z->at;
  text_clear(&z->name);
  if (!read_quoted(z, from)) return bad_token(z, from);
  return name_token(z, from, (slice){z->name.bytes, z->name.length});
}

/* ?x, ?X, ?'n++' */
static token read_asked(tokenizer *z) {
  const char *from = z->at++;
  if (*z->at == '\'') {
    text_clear(&z->name);
    text_add_char(&z->name, '?');
    return read_quoted(z, from) ? variable_token(z, from) : bad_token(z, from);
  }
  skip_word(z);
  if (z->at > from + 1) return plain_variable_token(z, from, from + 1);
  diag_add(z->d, DIAG_E104, span_from(z, from), "a variable without a name");
  return bad_token(z, from);
}

/* ---- operators ---- */

static token_kind kind_of_marks(slice marks) {
  static const struct {
    const char *marks;
    token_kind kind;
  } known[] = {{":-", TOKEN_ARROW},    {"<=", TOKEN_ARROW},     {"<-", TOKEN_ARROW},
               {"!=", TOKEN_DISTINCT}, {"\\=", TOKEN_DISTINCT}, {"\\+", TOKEN_NOT}};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (slice_equals(marks, known[i].marks)) return known[i].kind;
  return TOKEN_MARKS;
}

static void skip_marks(tokenizer *z) {
  const char *from = z->at;
  while (class_at(z->at) == MARK && !(z->at[0] == '/' && z->at[1] == '*')) {
    if (*z->at == '\\' && z->at > from) return;
    z->at++;
  }
}

static bool is_sign(char c) { return c == '+' || c == '-'; }

static bool begins_word(const char *at) {
  return class_at(at) == DIGIT || class_at(at) == LETTER || class_at(at) == HIGH;
}

/* `:--1` is an arrow and a number. */
static void give_sign_back(tokenizer *z, const char *from) {
  const slice all = {from, (size_t)(z->at - from)};
  if (all.length < 3 || !is_sign(z->at[-1]) || !begins_word(z->at)) return;
  if (kind_of_marks((slice){from, all.length - 1}) != TOKEN_MARKS) z->at--;
}

static token read_marks(tokenizer *z) {
  const char *from = z->at;
  if (is_sign(*from) && class_at(from + 1) == DIGIT) {
    z->at++;
    skip_number(z);
    return name_token(z, from, (slice){from, (size_t)(z->at - from)});
  }
  skip_marks(z);
  give_sign_back(z, from);
  const slice marks = {from, (size_t)(z->at - from)};
  return (token){.kind = kind_of_marks(marks), .where = span_from(z, from)};
}

/* && || ~= are of other languages; the marks they begin with are ours. */
static bool is_foreign_pair(const char *at) {
  return (*at == '&' && at[1] == '&') || (*at == '|' && at[1] == '|') ||
         (*at == '~' && at[1] == '=');
}

static token read_single(tokenizer *z) {
  static const char marks[] = "(),&|;~.";
  static const token_kind kinds[] = {TOKEN_OPEN, TOKEN_CLOSE, TOKEN_COMMA, TOKEN_AND,
                                     TOKEN_OR,   TOKEN_OR,    TOKEN_NOT,   TOKEN_STOP};
  const char *from = z->at;
  const bool is_pair = is_foreign_pair(from);
  z->at += is_pair ? 2 : 1;
  const token_kind kind = is_pair ? TOKEN_MARKS : kinds[strchr(marks, *from) - marks];
  return (token){.kind = kind, .where = span_from(z, from)};
}

static token read_foreign(tokenizer *z) {
  const char *from = z->at++;
  return (token){.kind = TOKEN_FOREIGN, .where = span_from(z, from)};
}

static token read_token(tokenizer *z) {
  if (z->at >= z->end) return (token){.kind = TOKEN_END_OF_TEXT, .where = span_from(z, z->at)};
  switch (class_at(z->at)) {
    case CAPITAL: return read_capital(z);
    case QUOTE: return read_quoted_name(z);
    case ASK: return read_asked(z);
    case MARK: return read_marks(z);
    case SINGLE: return read_single(z);
    case FOREIGN: return read_foreign(z);
    default: return read_word(z);
  }
}

token token_next(tokenizer *z) {
  const char *before = z->at;
  const bool is_first = skip_blanks(z) || before == parse_start(z->t->source);
  const char *line = z->line;
  const bool touches = z->at == before;
  token made = read_token(z);
  made.is_first = is_first;
  made.touches = touches;
  made.column = made.where.start - offset_of(z, line) + 1;
  z->last = made.kind;
  return made;
}
