/* KIF prefix notation.

   One pass reads a text whose parentheses match.  Where they do not, layout shows where an
   open form was meant to end: a line that begins with `(` no further to the right than the
   form itself starts a new one.  Layout is asked only about forms that are known to be
   never closed, so a text that is balanced is read as it stands, however it is laid out. */
#include "read/escape.h"
#include "read/parse.h"

#include <string.h>

typedef struct kif_reader {
  tree *t;
  arena *keep;
  arena *scratch;
  diag_sink *d;
  const char *text; /* the whole of it */
  const char *end;
  text name;         /* a name without its escapes */
  id_vec open;       /* the lists around this place, outermost first */
  node_id last_form; /* the last form that was closed at the top; or UINT32_MAX */

  /* Set once the end, or a rule in the first column, was met with parentheses open: */
  id_vec unclosed;        /* offsets of the parentheses that nothing closes, in order */
  uint32_t next_unclosed; /* the first of them that has not been passed */
  const char *told_until; /* faults before this place have been reported */

  /* While one unclosed form is read again: */
  const char *form_end;   /* where it is taken to end; or NULL */
  const char *close_here; /* before this parenthesis ... */
  uint32_t close_count;   /* ... so many lists are taken to end */
} kif_reader;

enum { BAD, BLANK, OPEN, CLOSE, COMMENT, NAME, ESCAPE, HIGH };

/* What a byte may begin; one row for 16 bytes. */
enum { X = BAD, _ = BLANK, O = OPEN, C = CLOSE, K = COMMENT, N = NAME, E = ESCAPE, H = HIGH };
static const uint8_t class_of[256] = {
    X, X, X, X, X, X, X, X, X, _, _, _, _, _, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X,
    _, N, N, N, N, N, N, N, O, C, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, K, N, N, N, N,
    N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, E, N, N, N,
    N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, X,
    H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H,
    H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H,
    H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H,
    H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H,
};

static inline int class_at(const char *at) { return class_of[(uint8_t)*at]; }

static inline uint32_t offset_of(const kif_reader *k, const char *at) {
  return (uint32_t)(at - k->text);
}

static span span_of(const kif_reader *k, const char *from, const char *to) {
  return (span){offset_of(k, from), offset_of(k, to)};
}

/* ---- names ---- */

static bool is_only(char c, slice name) {
  for (size_t i = 0; i < name.length; i++)
    if (name.start[i] != c) return false;
  return true;
}

/* `.` is no name: it is what is left of a pair, of a sentence, or of the other notation. */
static bool is_stray(slice name) {
  if (name.start[0] == '.') return is_only('.', name);
  return name.start[0] == '?' && name.length == 1;
}

static void report_stray(kif_reader *k, const char *from, const char *to) {
  if (from < k->told_until) return;
  if (*from == '?')
    diag_add(k->d, DIAG_E104, span_of(k, from, to), "a variable without a name");
  else {
    diag *g = diag_add(k->d, DIAG_E104, span_of(k, from, to), "`%.*s` is not a name",
                       (int)(to - from < 40 ? to - from : 40), from);
    diag_hint(k->d, g, "leave it out: a rule ends with its last parenthesis");
    diag_mend(k->d, g, span_of(k, from, to), "%s", "");
  }
}

/* `"a b"` and `|a b|` are one name in Lisp and two here. */
static inline bool is_half_quoted(slice name) {
  const char mark = name.start[0];
  return (mark == '"' || mark == '|') && name.length > 1 && name.start[name.length - 1] != mark;
}

static void warn_of_quote(kif_reader *k, const char *from, const char *to) {
  if (from < k->told_until) return;
  diag *g = diag_add(k->d, DIAG_W115, span_of(k, from, to),
                     "`%c` quotes nothing in KIF: the name ends here", *from);
  diag_hint(k->d, g, "write `a\\ b` for a name with a blank in it");
}

static void report_bytes(kif_reader *k, const char *from, const char *to) {
  if (from >= k->told_until) parse_report_bytes(k->t->source, from, to, k->d);
}

/* A run of bytes that are no UTF-8, or of characters that only look blank. */
static const char *skip_odd_bytes(kif_reader *k, const char *at) {
  const char *from = at;
  while (at < k->end && class_at(at) == HIGH) {
    const uint32_t odd = parse_odd_bytes(at, k->end);
    if (odd == 0) break;
    at += odd;
  }
  report_bytes(k, from, at);
  return at;
}

static bool can_be_escaped(const kif_reader *k, const char *at) {
  return at < k->end && (*at == ' ' || class_at(at) >= OPEN);
}

static const char *read_escape(kif_reader *k, const char *at) {
  if (escape_is_hex(at, k->end)) {
    text_add_char(&k->name, escape_hex_byte(at));
    return at + HEX_ESCAPE_LENGTH;
  }
  if (!can_be_escaped(k, at + 1)) {
    if (at >= k->told_until)
      diag_hint(k->d,
                diag_add(k->d, DIAG_E109, span_of(k, at, at + 1), "nothing follows this `\\`"),
                "write `\\\\` for the character itself");
    return at + 1;
  }
  if (class_at(at + 1) == HIGH) return at + 1;
  text_add_char(&k->name, at[1]);
  return at + 2;
}

static const char *read_high(kif_reader *k, const char *at) {
  if (parse_odd_bytes(at, k->end)) return skip_odd_bytes(k, at);
  const uint32_t length = utf8_length(at, k->end);
  text_add_bytes(&k->name, at, length);
  return at + length;
}

/* The bytes of the name at `at`, without escapes, into k->name; returns where it ends. */
static const char *read_name_bytes(kif_reader *k, const char *at) {
  text_clear(&k->name);
  for (;;) {
    const int class = class_at(at);
    if (class == NAME)
      text_add_char(&k->name, *at++);
    else if (class == ESCAPE)
      at = read_escape(k, at);
    else if (class == HIGH)
      at = read_high(k, at);
    else
      return at;
  }
}

/* A name with escapes or with letters beyond ASCII. */
static const char *read_odd_name(kif_reader *k, const char *from) {
  const char *at = read_name_bytes(k, from);
  const slice name = {k->name.bytes, k->name.length};
  if (name.length == 0) return at;
  if (name.length == 1 && *from == '?') {
    report_stray(k, from, at);
    return at;
  }
  const symbol_id symbol = *from == '?' ? symbol_intern(k->t->symbols, name)
                                        : symbol_intern_constant(k->t->symbols, name);
  parse_push_node(k->t, k->keep, symbol, span_of(k, from, at));
  return at;
}

/* ---- comments ---- */

static inline bool begins_block_comment(const char *at) { return at[0] == '#' && at[1] == '|'; }

/* Behind the `|#` that ends the comment at `at`, which may hold others; NULL: it never ends. */
static const char *find_comment_end(const char *at, const char *end) {
  uint32_t depth = 0;
  for (; at + 1 < end; at++) {
    if (begins_block_comment(at))
      depth++;
    else if (at[0] == '|' && at[1] == '#')
      depth--;
    else
      continue;
    if (depth == 0) return at + 2;
    at++;
  }
  return NULL;
}

static const char *read_block_comment(kif_reader *k, const char *from) {
  const char *stop = find_comment_end(from, k->end);
  if (stop) {
    vec_push(k->keep, &k->t->comments, span_of(k, from, stop));
    return stop;
  }
  if (from >= k->told_until)
    diag_hint(k->d,
              diag_add(k->d, DIAG_E110, span_of(k, from, from + 2), "this comment never ends"),
              "end it with `|#`");
  return k->end;
}

/* ---- names as they stand ---- */

static inline const char *read_name(kif_reader *k, const char *from) {
  if (begins_block_comment(from)) return read_block_comment(k, from);
  const char *at = from;
  while (class_at(at) == NAME) at++;
  if (class_at(at) >= ESCAPE) return read_odd_name(k, from);
  const slice name = {from, (size_t)(at - from)};
  if (is_half_quoted(name)) warn_of_quote(k, from, at);
  if (is_stray(name))
    report_stray(k, from, at);
  else
    parse_push_node(k->t, k->keep, symbol_intern(k->t->symbols, name), span_of(k, from, at));
  return at;
}

/* ---- layout: where a form that is never closed was meant to end ---- */

/* Behind a name that begins at `at`, or a block comment. */
static const char *skip_name(const char *at, const char *end) {
  if (begins_block_comment(at)) {
    const char *stop = find_comment_end(at, end);
    return stop ? stop : end;
  }
  while (at < end && class_at(at) >= NAME)
    at += class_at(at) == ESCAPE ? escape_length(at, end) : 1;
  return at;
}

/* The next parenthesis that is none of a comment or a name; or the end. */
static const char *next_parenthesis(const char *at, const char *end) {
  while (at < end) {
    const int class = class_at(at);
    if (class == OPEN || class == CLOSE) return at;
    if (class >= NAME)
      at = skip_name(at, end);
    else if (class == COMMENT)
      while (at < end && *at != '\n' && *at != '\r') at++;
    else
      at++;
  }
  return end;
}

static bool is_line_end(char c) { return c == '\n' || c == '\r'; }

/* The column of `at` from 1 when nothing but blanks is before it on its line; else 0. */
static uint32_t indent_of(const char *start, const char *at) {
  const char *line = at;
  while (line > start && !is_line_end(line[-1])) {
    if (line[-1] != ' ' && line[-1] != '\t') return 0;
    line--;
  }
  return (uint32_t)(at - line) + 1;
}

static uint32_t column_of(const char *start, const char *at) {
  const char *line = at;
  while (line > start && !is_line_end(line[-1])) line--;
  return (uint32_t)(at - line) + 1;
}

static slice name_after(const char *parenthesis) {
  const char *at = parenthesis + 1;
  while (*at == ' ' || *at == '\t') at++;
  const char *from = at;
  while (class_at(at) == NAME) at++;
  return (slice){from, (size_t)(at - from)};
}

/* Nobody writes a fact about these, so they are part of a rule even in the first column. */
static bool begins_literal(const kif_reader *k, const char *parenthesis) {
  const symbol_id s = symbol_find(k->t->symbols, name_after(parenthesis));
  return s == SYM_TRUE || s == SYM_DOES || s == SYM_DISTINCT || s == SYM_NOT || s == SYM_AND ||
         s == SYM_OR;
}

/* A rule in the first column is never part of another form. */
static inline bool begins_rule_line(const kif_reader *k, const char *at) {
  return (at == k->text || is_line_end(at[-1])) && at[1] == '<' && at[2] == '=' &&
         class_at(at + 3) != NAME;
}

static bool is_unclosed(kif_reader *k, const char *at) {
  const uint32_t offset = offset_of(k, at);
  while (k->next_unclosed < k->unclosed.count && k->unclosed.items[k->next_unclosed] < offset)
    k->next_unclosed++;
  return k->next_unclosed < k->unclosed.count && k->unclosed.items[k->next_unclosed] == offset;
}

/* Where the form after the unclosed one at `form` starts.  Every parenthesis that is open
   there must be an unclosed one, or the rest would not be balanced. */
static const char *find_next_form(kif_reader *k, const char *form, uint32_t *missing) {
  const uint32_t column = column_of(k->text, form);
  uint32_t depth = 0;
  *missing = 0;
  for (const char *at = form; (at = next_parenthesis(at, k->end)) < k->end; at++) {
    if (*at == ')') {
      depth--;
      continue;
    }
    const uint32_t indent = depth && depth == *missing ? indent_of(k->text, at) : 0;
    if (indent && indent <= column && !begins_literal(k, at)) return at;
    *missing += is_unclosed(k, at);
    depth++;
  }
  return k->end;
}

/* The last place in the form, before its last parenthesis, at which no more than `missing`
   lists are open: what was forgotten was forgotten behind it. */
static const char *find_low_place(const char *form, const char *stop, uint32_t missing) {
  const char *low = form;
  const char *candidate = form;
  uint32_t depth = 0;
  for (const char *at = form; (at = next_parenthesis(at, stop)) < stop; at++) {
    low = candidate;
    depth += *at == '(' ? 1u : -1u;
    if (depth <= missing) candidate = at;
  }
  return low;
}

typedef struct open_line {
  const char *at;
  uint32_t indent; /* 0: not the first on its line */
} open_line;

/* Inside an unclosed form: the list that should have ended before `sibling`, because that
   is on a line of its own and indented no further.  Ending it there must leave the form
   closed by exactly its last parenthesis. */
static const char *find_culprit(kif_reader *k, const char *form, const char *stop, uint32_t missing,
                                const char **sibling) {
  const char *low = find_low_place(form, stop, missing);
  const arena_mark mark = arena_save(k->scratch);
  VEC(open_line) stack = {0};
  const char *culprit = NULL;
  for (const char *at = form; (at = next_parenthesis(at, stop)) < stop; at++) {
    if (*at == ')') {
      stack.count--;
      continue;
    }
    const open_line line = {at, indent_of(k->text, at)};
    if (at > low && line.indent && stack.count > missing) {
      const open_line suspect = stack.items[stack.count - missing];
      if (suspect.indent >= line.indent) {
        culprit = suspect.at;
        *sibling = at;
        break;
      }
    }
    vec_push(k->scratch, &stack, line);
  }
  arena_restore(k->scratch, mark);
  return culprit;
}

/* ---- unbalanced parentheses ---- */

static void relate_end(kif_reader *k, diag *g, const char *stop) {
  if (stop == k->end)
    diag_relate(k->d, g, span_of(k, stop, stop), "the text ends here");
  else
    diag_relate(k->d, g, span_of(k, stop, stop + 1), "the next rule seems to start here");
}

/* Behind the last byte before `stop` that is no blank; none if that may be in a comment. */
static void mend_unclosed(kif_reader *k, diag *g, const char *stop, uint32_t missing) {
  enum { MOST = 8 };
  static const char closing[MOST + 1] = "))))))))";
  const char *at = stop;
  while (at > k->text && class_at(at - 1) == BLANK) at--;
  for (const char *b = at; b > k->text && !is_line_end(b[-1]); b--)
    if (b[-1] == ';' || b[-1] == '#') return;
  if (missing <= MOST) diag_mend(k->d, g, span_of(k, at, at), "%s", closing + MOST - missing);
}

static void report_unclosed(kif_reader *k, const char *at, const char *sibling, const char *stop,
                            uint32_t missing) {
  const span where = span_of(k, at, at + 1);
  diag *g = missing == 1 ? diag_add(k->d, DIAG_E101, where, "this parenthesis is never closed")
                         : diag_add(k->d, DIAG_E101, where,
                                    "this parenthesis and %u more are never closed", missing - 1);
  if (sibling)
    diag_relate(k->d, g, span_of(k, sibling, sibling + 1),
                "this line is indented as if it were closed before");
  else
    relate_end(k, g, stop);
  if (missing == 1)
    diag_hint(k->d, g, "add a `)` before there");
  else
    diag_hint(k->d, g, "add %u `)` before there", missing);
  mend_unclosed(k, g, sibling ? sibling : stop, missing);
}

static void close_lists(kif_reader *k, uint32_t count) {
  tree *t = k->t;
  while (count--) {
    node *list = &t->nodes.items[vec_pop(&k->open)];
    list->after = t->nodes.count;
    if (list + 1 < vec_from(&t->nodes, t->nodes.count))
      list->where.end = vec_last(&t->nodes).where.end;
  }
}

/* Forgets everything from the form at `form` on. */
static void rewind_to(kif_reader *k, const char *form) {
  const uint32_t offset = offset_of(k, form);
  if (k->open.count) k->t->nodes.count = k->open.items[0];
  k->open.count = 0;
  while (k->t->comments.count && vec_last(&k->t->comments).start >= offset) k->t->comments.count--;
}

static const char *read_forms(kif_reader *k, const char *at);

/* Reads form .. stop-1 as one form that lacks `missing` parentheses. */
static const char *read_unclosed_form(kif_reader *k, const char *form, const char *stop,
                                      uint32_t missing) {
  rewind_to(k, form);
  const char *sibling = NULL;
  const char *culprit = find_culprit(k, form, stop, missing, &sibling);
  report_unclosed(k, culprit ? culprit : form, sibling, stop, missing);
  k->form_end = stop;
  k->close_here = sibling;
  k->close_count = missing;
  read_forms(k, form);
  close_lists(k, k->open.count);
  k->form_end = k->close_here = NULL;
  return stop;
}

/* The text, or what can be told apart from the rest of it, ended at `at` with lists open.
   Returns the place of the outermost, to be read again with that known. */
static const char *ask_layout(kif_reader *k, const char *at) {
  k->unclosed.count = k->next_unclosed = 0;
  for (uint32_t i = 0; i < k->open.count; i++)
    vec_push(k->scratch, &k->unclosed, tree_node(k->t, k->open.items[i])->where.start);
  const char *form = k->text + k->unclosed.items[0];
  rewind_to(k, form);
  if (k->told_until < at) k->told_until = at;
  return form;
}

static const char *read_extra(kif_reader *k, const char *from) {
  const char *at = from;
  while (at < k->end && *at == ')') at++;
  const uint32_t count = (uint32_t)(at - from);
  const span where = span_of(k, from, at);
  diag *g = count == 1
                ? diag_add(k->d, DIAG_E102, where, "this parenthesis closes nothing")
                : diag_add(k->d, DIAG_E102, where, "these %u parentheses close nothing", count);
  diag_hint(k->d, g, "remove %s, or open a list before", count == 1 ? "it" : "them");
  if (k->last_form == UINT32_MAX) return at;
  const uint32_t closed = tree_node(k->t, k->last_form)->where.end;
  diag_relate(k->d, g, (span){closed - 1, closed}, "the previous form is already closed here");
  return at;
}

/* ---- the reader ---- */

static inline void open_list(kif_reader *k, const char *at) {
  vec_push(k->scratch, &k->open, k->t->nodes.count);
  parse_push_node(k->t, k->keep, SYM_NONE, span_of(k, at, at + 1));
}

static inline const char *read_open(kif_reader *k, const char *at) {
  if (at == k->close_here) close_lists(k, k->close_count);
  if (k->open.count && begins_rule_line(k, at) && !k->form_end) return ask_layout(k, at);
  if (k->open.count == 0 && k->unclosed.count && !k->form_end && is_unclosed(k, at)) {
    uint32_t missing;
    const char *stop = find_next_form(k, at, &missing);
    return read_unclosed_form(k, at, stop, missing);
  }
  open_list(k, at);
  return at + 1;
}

static inline const char *read_close(kif_reader *k, const char *at) {
  if (k->open.count == 0) return read_extra(k, at);
  const node_id list = vec_pop(&k->open);
  node *closed = &k->t->nodes.items[list];
  closed->after = k->t->nodes.count;
  closed->where.end = offset_of(k, at) + 1;
  if (k->open.count == 0) k->last_form = list;
  return at + 1;
}

static const char *read_bad(kif_reader *k, const char *from) {
  const char *at = from;
  while (at < k->end && class_at(at) == BAD) at++;
  report_bytes(k, from, at);
  return at;
}

/* Reads to the end of the text, or to k->form_end, which is always a `(`. */
static const char *read_forms(kif_reader *k, const char *at) {
  for (;;) switch (class_at(at)) {
      case BLANK: at++; break;
      case OPEN:
        if (at == k->form_end) return at;
        at = read_open(k, at);
        break;
      case CLOSE: at = read_close(k, at); break;
      case COMMENT: at = parse_line_comment(k->t, k->keep, at); break;
      case NAME: at = read_name(k, at); break;
      case ESCAPE:
      case HIGH: at = read_odd_name(k, at); break;
      default:
        if (at >= k->end) return at;
        at = read_bad(k, at);
    }
}

void kif_parse(tree *t, arena *keep, diag_sink *d) {
  kif_reader k = {.t = t, .keep = keep, .d = d, .scratch = arena_new()};
  k.text = t->source->bytes;
  k.end = k.text + t->source->length;
  k.told_until = k.text;
  k.name = text_new(k.scratch);
  k.last_form = UINT32_MAX;
  read_forms(&k, parse_start(t->source));
  if (k.open.count) read_forms(&k, ask_layout(&k, k.end));
  arena_free(k.scratch);
}
