#include "read/tree.h"

#include "read/parse.h"

#include <string.h>

bool tree_read(tree *t, const source *s, symbol_table *symbols, arena *keep, diag_sink *d) {
  const notation n = notation_guess((slice){s->bytes, s->length});
  return tree_read_as(t, s, n, symbols, keep, d);
}

bool tree_read_as(tree *t, const source *s, notation n, symbol_table *symbols, arena *keep,
                  diag_sink *d) {
  const uint32_t errors_before = d->errors;
  *t = (tree){.source = s, .symbols = symbols, .notation = n};
  if (n == NOTATION_KIF)
    kif_parse(t, keep, d);
  else
    prolog_parse(t, keep, d);
  return d->errors == errors_before;
}

const char *notation_name(notation n) { return n == NOTATION_KIF ? "kif" : "prolog"; }

uint32_t node_element_count(const tree *t, node_id list) {
  assert(node_is_list(t, list));
  uint32_t count = 0;
  for (node_id n = node_first(list); n != node_after(t, list); n = node_after(t, n)) count++;
  return count;
}

symbol_id node_functor(const tree *t, node_id n) {
  if (!node_is_list(t, n)) return tree_node(t, n)->symbol;
  if (node_first(n) == node_after(t, n)) return SYM_NONE;
  return tree_node(t, node_first(n))->symbol;
}

/* ---- telling the notations apart ---- */

static bool is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

static bool is_line_end(char c) { return c == '\n' || c == '\r'; }

static bool is_word_byte(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
         c == '-' || c == '+' || c == '?' || (uint8_t)c >= 0x80;
}

/* The bytes of a byte order mark at the start. */
static uint32_t mark_length(slice words) {
  return words.length >= 3 && memcmp(words.start, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
}

static const char *skip_blanks_and_comments(const char *at, const char *end) {
  for (; at < end; at++) {
    if (*at == ';')
      while (at < end && !is_line_end(*at)) at++;
    else if (!is_blank(*at) && *at != '\0')
      break;
  }
  return at;
}

/* Words alone say nothing (`terminal` is a fact in both notations): what follows does.  The
   text ends with NUL, so that looking one byte ahead is safe. */
notation notation_guess(slice words) {
  const char *end = words.start + words.length;
  const char *at = skip_blanks_and_comments(words.start + mark_length(words), end);
  while (at < end && is_word_byte(*at)) {
    while (at < end && is_word_byte(*at)) at++;
    if (*at == '(') return NOTATION_PROLOG;
    at = skip_blanks_and_comments(at, end);
  }
  if (at >= end || *at == '(' || *at == ')') return NOTATION_KIF;
  if (*at == '<') return at[1] == '=' || at[1] == '-' ? NOTATION_PROLOG : NOTATION_KIF;
  if (*at == '/') return at[1] == '*' ? NOTATION_PROLOG : NOTATION_KIF;
  if (*at == '#') return NOTATION_KIF; /* `#|` begins a comment there */
  if (*at == ':') return at[1] == '-' ? NOTATION_PROLOG : NOTATION_KIF;
  return strchr("%.,'&~|\\!=", *at) ? NOTATION_PROLOG : NOTATION_KIF;
}

/* ---- what both parsers share ---- */

const char *parse_start(const source *s) {
  return s->bytes + mark_length((slice){s->bytes, s->length});
}

/* The first nodes are a sample of what is to come. */
enum { SAMPLE_NODES = 4096 };

void parse_reserve_nodes(tree *t, arena *keep, uint32_t offset) {
  const double left = t->source->length - offset;
  const double density = t->nodes.count / (offset + 1.0);
  const double wanted = t->nodes.count == 0 ? left / 4 : left * density * 1.02;
  const bool is_sample = t->nodes.count == 0 && wanted > SAMPLE_NODES;
  vec_reserve(keep, &t->nodes, (is_sample ? SAMPLE_NODES : (uint32_t)wanted) + 64);
}

const char *parse_line_comment(tree *t, arena *keep, const char *at) {
  const char *end = t->source->bytes + t->source->length;
  const char *stop = at;
  while (stop < end && !is_line_end(*stop)) stop++;
  const span where = {(uint32_t)(at - t->source->bytes), (uint32_t)(stop - t->source->bytes)};
  vec_push(keep, &t->comments, where);
  return stop;
}

/* No-break space, the spaces of U+2000.., line separators, ideographic space, and the mark
   of the byte order: a writer sees a blank where the reader sees a letter. */
static bool looks_blank(const char *at, uint32_t length) {
  static const char *const ranges[][2] = {
      {"\xc2\x80", "\xc2\xa0"},         {"\xe2\x80\x80", "\xe2\x80\x8f"},
      {"\xe2\x80\xa8", "\xe2\x80\xaf"}, {"\xe2\x81\x9f", "\xe2\x81\xaf"},
      {"\xe3\x80\x80", "\xe3\x80\x80"}, {"\xef\xbb\xbf", "\xef\xbb\xbf"},
  };
  for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++)
    if (strlen(ranges[i][0]) == length && memcmp(at, ranges[i][0], length) >= 0 &&
        memcmp(at, ranges[i][1], length) <= 0)
      return true;
  return false;
}

uint32_t parse_odd_bytes(const char *at, const char *end) {
  const uint32_t length = utf8_length(at, end);
  if (length == 0) return 1;
  return looks_blank(at, length) ? length : 0;
}

void parse_report_bytes(const source *s, const char *from, const char *to, diag_sink *d) {
  const span where = {(uint32_t)(from - s->bytes), (uint32_t)(to - s->bytes)};
  const uint8_t first = (uint8_t)*from;
  if (first == 0)
    diag_add(d, DIAG_E109, where, "a NUL byte cannot be part of a rulesheet");
  else if (first < 0x80)
    diag_add(d, DIAG_E109, where, "the control character 0x%02x cannot be part of a rulesheet",
             first);
  else if (utf8_length(from, to) == 0)
    diag_hint(d, diag_add(d, DIAG_E109, where, "the byte 0x%02x is not valid UTF-8", first),
              "save the text as UTF-8; in comments any byte may stand");
  else {
    diag *g = diag_add(d, DIAG_E109, where, "this character looks like a blank but is not one");
    diag_hint(d, g, "write an ordinary space");
    diag_mend(d, g, where, " ");
  }
}
