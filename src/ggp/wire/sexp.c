#include "ggp/wire/sexp.h"

#include <assert.h>
#include <ctype.h>

static bool is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
static bool is_parenthesis(char c) { return c == '(' || c == ')'; }
static bool ends_name(char c) { return is_blank(c) || is_parenthesis(c) || c == ';'; }

static void drop(slice *s, size_t count) {
  s->start += count;
  s->length -= count;
}

static void skip_comment(slice *s) {
  while (s->length && *s->start != '\n' && *s->start != '\r') drop(s, 1);
}

static void skip_blanks(slice *s) {
  while (s->length && (is_blank(*s->start) || *s->start == ';')) {
    if (*s->start == ';')
      skip_comment(s);
    else
      drop(s, 1);
  }
}

static size_t name_length(slice s) {
  size_t at = 0;
  while (at < s.length && !ends_name(s.start[at])) at += s.start[at] == '\\' ? 2 : 1;
  return at < s.length ? at : s.length;
}

bool sexp_token(slice *rest, slice *token) {
  skip_blanks(rest);
  if (!rest->length) return false;
  const size_t length = is_parenthesis(*rest->start) ? 1 : name_length(*rest);
  *token = (slice){rest->start, length};
  drop(rest, length);
  return true;
}

/* The rest of a list whose opening parenthesis was taken. */
static bool skip_list(slice *rest) {
  slice token;
  uint64_t depth = 1;
  while (depth && sexp_token(rest, &token)) {
    if (*token.start == '(') depth++;
    if (*token.start == ')') depth--;
  }
  return depth == 0;
}

sexp_kind sexp_next(slice *rest, slice *term) {
  if (!sexp_token(rest, term)) return SEXP_END;
  if (*term->start == ')') return SEXP_BROKEN;
  if (*term->start != '(') return SEXP_NAME;
  if (!skip_list(rest)) return SEXP_BROKEN;
  term->length = (size_t)(rest->start - term->start);
  return SEXP_LIST;
}

slice sexp_inside(slice list) {
  assert(list.length >= 2 && *list.start == '(');
  return (slice){list.start + 1, list.length - 2};
}

static char lower(char c) { return (char)tolower((unsigned char)c); }

bool sexp_is(slice term, const char *word) {
  size_t i = 0;
  while (i < term.length && word[i] && lower(term.start[i]) == lower(word[i])) i++;
  return i == term.length && !word[i];
}

void sexp_add_lower(slice name, text *out) {
  for (size_t i = 0; i < name.length; i++) text_add_char(out, lower(name.start[i]));
}

void sexp_add_spaced(slice terms, text *out) {
  slice token;
  const char *between = "";
  while (sexp_token(&terms, &token)) {
    text_add(out, between);
    text_add_bytes(out, token.start, token.length);
    between = " ";
  }
}

/* (a) is a. */
static bool is_name_in_parentheses(slice rest, slice *name) {
  slice close;
  return sexp_token(&rest, name) && !is_parenthesis(*name->start) && sexp_token(&rest, &close) &&
         *close.start == ')';
}

void sexp_add_canonical(slice terms, text *out) {
  slice token, name;
  bool needs_blank = false;
  while (sexp_token(&terms, &token)) {
    const bool opens = *token.start == '(';
    if (needs_blank && *token.start != ')') text_add_char(out, ' ');
    needs_blank = !opens;
    if (opens && is_name_in_parentheses(terms, &name)) {
      sexp_token(&terms, &token);
      sexp_token(&terms, &token);
      sexp_add_lower(name, out);
      needs_blank = true;
    } else {
      sexp_add_lower(token, out);
    }
  }
}

static void scan_byte(sexp_scan *s, char c) {
  if (s->in_comment) {
    s->in_comment = c != '\n' && c != '\r';
  } else if (s->is_escaped) {
    s->is_escaped = false;
  } else if (c == '(') {
    s->depth++;
    s->has_begun = true;
  } else if (c == ')' && s->depth) {
    s->is_closed = --s->depth == 0;
  } else {
    s->in_comment = c == ';';
    s->is_escaped = c == '\\';
  }
}

bool sexp_scan_add(sexp_scan *s, const char *bytes, size_t length) {
  for (size_t i = 0; i < length && !s->is_closed; i++) scan_byte(s, bytes[i]);
  return s->is_closed;
}
