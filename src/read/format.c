/* Prints nodes in order, and each comment before the first node behind it.

   A list is printed on one line where that fits; otherwise, or where a comment is inside
   it, its elements are put on lines of their own.  Lists that are being printed are kept on
   a stack of our own, so that no tree is nested too deeply. */
#include "read/format.h"

#include "read/escape.h"

#include <string.h>

enum { INDENT_MAX = 60, RULE_INDENT = 4 };

/* How a list is written. */
typedef enum style {
  STYLE_KIF,      /* (a b c) */
  STYLE_RULE,     /* a :- b, c */
  STYLE_CHAIN,    /* (b, c) and (b or c) */
  STYLE_NOT,      /* not b */
  STYLE_COMPOUND, /* a(b, c) */
  STYLE_NAMELESS  /* (b, c) for a list that has no name: no rule may hold it */
} style;

/* The position of a node; only the infix notation needs it. */
typedef enum context { CONTEXT_TOP, CONTEXT_BODY, CONTEXT_TERM } context;

typedef struct frame {
  node_id list;
  node_id next; /* element to print */
  node_id end;
  uint32_t printed; /* elements */
  uint32_t indent;  /* of elements on lines of their own */
  style style;
} frame;

typedef struct printer {
  const tree *t;
  notation notation;
  uint32_t width;
  text *out;
  arena *scratch;
  VEC(frame) frames;
  size_t line;         /* where this line starts in `out` */
  uint32_t comment;    /* the next to print */
  uint32_t inside_end; /* comments before this one belong into the form at hand */
  uint32_t last_end;   /* offset behind the last thing printed */
  bool needs_line;     /* a comment was printed: nothing else may follow on its line */
} printer;

/* ---- lines ---- */

static size_t column(const printer *p) { return p->out->length - p->line; }

static void new_line(printer *p, uint32_t indent) {
  text_add_char(p->out, '\n');
  p->line = p->out->length;
  for (uint32_t i = 0; i < indent; i++) text_add_char(p->out, ' ');
  p->needs_line = false;
}

static bool is_line_end(char c) { return c == '\n' || c == '\r'; }

/* How many lines end in from .. to-1, up to 2. */
static uint32_t line_ends(const printer *p, uint32_t from, uint32_t to) {
  const char *bytes = p->t->source->bytes;
  uint32_t count = 0;
  for (uint32_t i = from; i < to && count < 2; i++)
    count += bytes[i] == '\n' || (bytes[i] == '\r' && bytes[i + 1] != '\n');
  return count;
}

/* ---- comments ---- */

static slice trimmed(slice line) {
  while (line.length &&
         ((uint8_t)line.start[line.length - 1] - 9u < 5 || line.start[line.length - 1] == ' '))
    line.length--;
  return line;
}

static bool is_directive(slice comment) { return comment.start[0] == ':'; }

/* The marks of infix begin with a slash, those of KIF with `#`. */
static bool is_block(slice comment) {
  return comment.start[0] == '/' || comment.start[0] == '#' || is_directive(comment);
}

/* `;;; words` is `%%% words` in the other notation. */
static void print_line_comment(printer *p, slice comment) {
  const slice words = trimmed(comment);
  const char old = comment.start[0];
  const char mark = p->notation == NOTATION_KIF ? ';' : '%';
  size_t i = 0;
  for (; i < words.length && words.start[i] == old; i++) text_add_char(p->out, mark);
  text_add_bytes(p->out, words.start + i, words.length - i);
}

/* Cuts the first line off. */
static slice take_line(slice *rest) {
  size_t length = 0;
  while (length < rest->length && !is_line_end(rest->start[length])) length++;
  const slice line = {rest->start, length};
  const bool is_pair =
      length + 1 < rest->length && rest->start[length] == '\r' && rest->start[length + 1] == '\n';
  const size_t used = length < rest->length ? length + 1 + is_pair : length;
  *rest = (slice){rest->start + used, rest->length - used};
  return line;
}

static void print_block_as_lines(printer *p, slice comment, uint32_t indent) {
  slice rest = {comment.start + 2, comment.length - 4};
  if (is_directive(comment)) rest = comment;
  do {
    const slice line = trimmed(take_line(&rest));
    text_add_char(p->out, p->notation == NOTATION_KIF ? ';' : '%');
    text_add_bytes(p->out, line.start, line.length);
    if (rest.length) new_line(p, indent);
  } while (rest.length);
}

static void print_block(printer *p, slice comment) {
  for (slice rest = comment; rest.length;) {
    const slice line = take_line(&rest);
    text_add_bytes(p->out, line.start, line.length);
    if (rest.length) text_add_char(p->out, '\n');
  }
}

static void print_comment(printer *p, uint32_t indent) {
  const span where = p->t->comments.items[p->comment++];
  const slice comment = source_slice(p->t->source, where);
  if (!is_block(comment))
    print_line_comment(p, comment);
  else if (p->notation == p->t->notation)
    print_block(p, comment);
  else
    print_block_as_lines(p, comment, indent);
  p->last_end = where.end;
  p->needs_line = true;
}

static bool has_comment_before(const printer *p, uint32_t offset) {
  return p->comment < p->inside_end && p->t->comments.items[p->comment].start < offset;
}

static bool is_trailing(const printer *p, uint32_t comment) {
  return line_ends(p, p->last_end, p->t->comments.items[comment].start) == 0;
}

/* Comments inside a form: behind what they follow, or on lines of their own. */
static void print_comments_before(printer *p, uint32_t offset, uint32_t indent) {
  while (has_comment_before(p, offset)) {
    if (!p->needs_line && is_trailing(p, p->comment))
      text_add_char(p->out, ' ');
    else
      new_line(p, indent);
    print_comment(p, indent);
  }
}

/* ---- lists ---- */

static bool is_connective(symbol_id s) { return s == SYM_AND || s == SYM_OR || s == SYM_NOT; }

static uint32_t count_up_to_three(const tree *t, node_id list) {
  uint32_t count = 0;
  for (node_id n = node_first(list); n != node_after(t, list) && count < 3; n = node_after(t, n))
    count++;
  return count;
}

/* `not or(a)` would be read as `or` between two operands: it is not(or(a)). */
static bool is_operand_of_not(const tree *t, node_id n) {
  const symbol_id functor = node_functor(t, n);
  return (functor != SYM_AND && functor != SYM_OR) || count_up_to_three(t, n) != 2;
}

static style infix_style(const tree *t, node_id list, context c) {
  const symbol_id functor = node_functor(t, list);
  if (functor == SYM_NONE) return STYLE_NAMELESS;
  const uint32_t count = count_up_to_three(t, list);
  if (c == CONTEXT_TOP && functor == SYM_RULE && count >= 2) return STYLE_RULE;
  if (c == CONTEXT_BODY && functor == SYM_NOT && count == 2 &&
      is_operand_of_not(t, node_after(t, node_first(list))))
    return STYLE_NOT;
  if (c == CONTEXT_BODY && (functor == SYM_AND || functor == SYM_OR) && count == 3)
    return STYLE_CHAIN;
  return STYLE_COMPOUND;
}

static style style_of(const printer *p, node_id list, context c) {
  return p->notation == NOTATION_KIF ? STYLE_KIF : infix_style(p->t, list, c);
}

/* The context of a list's next element. */
static context inner_context(const frame *f) {
  switch (f->style) {
    case STYLE_RULE: return f->printed == 0 ? CONTEXT_TERM : CONTEXT_BODY;
    case STYLE_CHAIN:
    case STYLE_NOT: return CONTEXT_BODY;
    default: return CONTEXT_TERM;
  }
}

/* Elements stand under each other: behind the connective, or four columns in. */
static uint32_t indent_of(const printer *p, node_id list, style s) {
  const symbol_id functor = node_functor(p->t, list);
  size_t deeper = RULE_INDENT;
  if (s == STYLE_KIF && is_connective(functor)) deeper = functor == SYM_OR ? 4 : 5;
  if (s == STYLE_CHAIN) deeper = 1;
  const size_t indent = s == STYLE_RULE ? RULE_INDENT : column(p) + deeper;
  return indent < INDENT_MAX ? (uint32_t)indent : INDENT_MAX;
}

/* A connective needs no quotes where its argument list follows. */
static void print_functor(printer *p, symbol_id s) {
  if (!is_connective(s)) {
    name_print(p->t->symbols, s, p->notation, p->out);
    return;
  }
  const slice name = symbol_folded(p->t->symbols, s);
  text_add_bytes(p->out, name.start, name.length);
}

static void print_opening(printer *p, frame *f) {
  const symbol_id functor = node_functor(p->t, f->list);
  if (f->style != STYLE_KIF && f->style != STYLE_NAMELESS) f->next = node_after(p->t, f->next);
  if (f->style == STYLE_NOT)
    text_add(p->out, "not ");
  else if (f->style == STYLE_COMPOUND)
    print_functor(p, functor);
  if (f->style != STYLE_RULE && f->style != STYLE_NOT) text_add_char(p->out, '(');
}

static void print_closing(printer *p, const frame *f) {
  if (f->style == STYLE_RULE || f->style == STYLE_NOT) return;
  if (p->needs_line) new_line(p, f->indent);
  text_add_char(p->out, ')');
}

/* (a) is a; a comment in it is left to whoever is around. */
static bool is_constant_list(const printer *p, node_id list) {
  return p->notation == NOTATION_PROLOG && node_functor(p->t, list) != SYM_NONE &&
         node_after(p->t, node_first(list)) == node_after(p->t, list);
}

/* `_`, which the reader has given a name. */
static bool is_fresh(const printer *p, node_id n) {
  const span where = tree_node(p->t, n)->where;
  return p->t->notation == NOTATION_PROLOG && p->notation == NOTATION_PROLOG &&
         slice_equals(source_slice(p->t->source, where), "_");
}

static void print_name(printer *p, node_id n) {
  if (is_fresh(p, n))
    text_add_char(p->out, '_');
  else
    name_print(p->t->symbols, tree_node(p->t, n)->symbol, p->notation, p->out);
  p->last_end = tree_node(p->t, n)->where.end;
}

/* Prints a name; opens a list. */
static void begin_node(printer *p, node_id n, context c) {
  const node *now = tree_node(p->t, n);
  if (now->symbol != SYM_NONE) {
    print_name(p, n);
    return;
  }
  if (is_constant_list(p, n)) {
    print_name(p, node_first(n));
    return;
  }
  frame f = {.list = n, .next = node_first(n), .end = now->after, .style = style_of(p, n, c)};
  f.indent = indent_of(p, n, f.style);
  print_opening(p, &f);
  p->last_end = now->where.start + (f.style == STYLE_RULE ? 0 : 1);
  vec_push(p->scratch, &p->frames, f);
}

/* The full stop is part of a rule, and `not` has no parenthesis: what follows the last
   operand of these is left to whoever is around. */
static void end_list(printer *p, bool flat) {
  const frame f = vec_pop(&p->frames);
  if (f.style == STYLE_NOT) return;
  const uint32_t end = tree_node(p->t, f.list)->where.end;
  if (!flat) print_comments_before(p, end, f.indent);
  print_closing(p, &f);
  p->last_end = end;
}

static const char *separator_after(const printer *p, const frame *f) {
  if (f->style == STYLE_RULE && f->printed == 1) return " :-";
  if (f->style == STYLE_KIF || f->printed == 0) return "";
  return f->style == STYLE_CHAIN && node_functor(p->t, f->list) == SYM_OR ? " or" : ",";
}

/* In KIF the first argument stays beside the name. */
static bool has_own_line(const frame *f) {
  return f->style == STYLE_KIF ? f->printed > 1 : f->printed > 0;
}

/* Where the next element's first printed name stands.  The operator of an infix list stands
   behind its first operand, where nothing is printed. */
static uint32_t start_of(const printer *p, const frame *f) {
  const bool is_operator = f->next == node_first(f->list) && p->t->notation == NOTATION_PROLOG;
  if (is_operator) return tree_node(p->t, f->list)->where.start;
  const bool is_constant = node_is_list(p->t, f->next) && is_constant_list(p, f->next);
  return tree_node(p->t, is_constant ? node_first(f->next) : f->next)->where.start;
}

/* Goes from one element to the place of the next. */
static void move_to_element(printer *p, const frame *f, bool flat) {
  text_add(p->out, separator_after(p, f));
  if (!flat) print_comments_before(p, start_of(p, f), f->indent);
  if (p->needs_line || (!flat && has_own_line(f)))
    new_line(p, f->indent);
  else if (f->printed)
    text_add_char(p->out, ' ');
}

static bool is_breakable(const printer *p, node_id n, context c) {
  const symbol_id functor = node_functor(p->t, n);
  if (p->notation == NOTATION_KIF) return functor == SYM_RULE || is_connective(functor);
  const style s = infix_style(p->t, n, c);
  return s == STYLE_RULE || s == STYLE_CHAIN || s == STYLE_NOT;
}

static bool print_on_one_line(printer *p, node_id root, context c, size_t limit);

/* Prints a node that no comment is in on one line; false when it must be broken. */
static bool print_unbroken(printer *p, node_id n, context c) {
  const node *now = tree_node(p->t, n);
  if (now->symbol != SYM_NONE) return print_on_one_line(p, n, c, SIZE_MAX);
  if (has_comment_before(p, now->where.end)) return false;
  if (!is_breakable(p, n, c)) return print_on_one_line(p, n, c, SIZE_MAX);
  const size_t length = p->out->length;
  if (print_on_one_line(p, n, c, p->width)) return true;
  p->out->length = length;
  p->out->bytes[length] = '\0';
  return false;
}

/* False as soon as the line has more than `limit` columns. */
static bool print_on_one_line(printer *p, node_id root, context c, size_t limit) {
  const uint32_t base = p->frames.count;
  begin_node(p, root, c);
  while (p->frames.count > base && column(p) <= limit) {
    frame *f = &vec_last(&p->frames);
    if (f->next == f->end) {
      end_list(p, true);
      continue;
    }
    move_to_element(p, f, true);
    const node_id n = f->next;
    const context inner = inner_context(f);
    f->next = node_after(p->t, n);
    f->printed++;
    begin_node(p, n, inner);
  }
  p->frames.count = base;
  return column(p) <= limit;
}

static void print_broken(printer *p, node_id root, context c) {
  begin_node(p, root, c);
  while (p->frames.count) {
    frame *f = &vec_last(&p->frames);
    if (f->next == f->end) {
      if (f->style == STYLE_RULE && f->printed == 1) text_add(p->out, " :-");
      end_list(p, false);
      continue;
    }
    move_to_element(p, f, false);
    const node_id n = f->next;
    const context inner = inner_context(f);
    f->next = node_after(p->t, n);
    f->printed++;
    if (!print_unbroken(p, n, inner)) begin_node(p, n, inner);
  }
}

/* ---- forms ---- */

/* A name alone whose marks might make the text look like the other notation. */
static bool needs_parentheses(const printer *p, node_id n) {
  if (p->notation != NOTATION_KIF || node_is_list(p->t, n)) return false;
  const symbol_id symbol = tree_node(p->t, n)->symbol;
  const slice name = symbol_name(p->t->symbols, symbol);
  if (name.start[0] == '?' && !symbol_is_variable(p->t->symbols, symbol)) return true;
  if (escape_has_odd_bytes(name)) return true;
  for (size_t i = 0; i < name.length; i++) {
    const char c = name.start[i];
    const bool is_plain = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
                          (c >= 'A' && c <= 'Z') || c == '_' || c == '-' || c == '+' || c == '?' ||
                          (uint8_t)c >= 0x80;
    if (!is_plain) return true;
  }
  return false;
}

static node_id last_element(const tree *t, node_id list) {
  node_id last = node_first(list);
  while (node_after(t, last) != node_after(t, list)) last = node_after(t, last);
  return last;
}

/* Behind the last element of the innermost list that holds `offset`, all of whose elements
   are before it. */
static uint32_t end_before(const tree *t, node_id list, uint32_t offset) {
  for (node_id n = list; node_is_list(t, n) && node_first(n) != node_after(t, n);) {
    n = last_element(t, n);
    if (tree_node(t, n)->where.end <= offset) return tree_node(t, n)->where.end;
  }
  return offset;
}

/* Comments up to here are inside the form.  One that only the closing parentheses follow,
   on the line of what is before it, is put behind the form instead. */
static uint32_t find_inside_end(const printer *p, node_id form) {
  const node *now = tree_node(p->t, form);
  const span *comments = p->t->comments.items;
  uint32_t end = p->comment;
  while (end < p->t->comments.count && comments[end].start < now->where.end) end++;
  if (end == p->comment) return end;
  const span last_name = tree_node(p->t, now->after - 1)->where;
  const uint32_t start = comments[end - 1].start;
  const bool is_last = start >= last_name.end;
  const bool is_alone = end - 1 == p->comment || comments[end - 2].start < last_name.start;
  if (!is_last || !is_alone) return end;
  return line_ends(p, end_before(p->t, form, start), start) == 0 ? end - 1 : end;
}

/* The first name or list of a form that infix prints. */
static node_id first_printed(const printer *p, node_id form) {
  if (!node_is_list(p->t, form)) return form;
  if (is_constant_list(p, form)) return node_first(form);
  const bool is_rule = infix_style(p->t, form, CONTEXT_TOP) == STYLE_RULE;
  return is_rule ? node_after(p->t, node_first(form)) : form;
}

/* What stands between a rule and its head goes before the rule: infix has no place there. */
static void print_comments_before_head(printer *p, node_id form) {
  if (p->notation == NOTATION_KIF) return;
  const node_id first = first_printed(p, form);
  while (has_comment_before(p, tree_node(p->t, first)->where.start)) {
    print_comment(p, 0);
    new_line(p, 0);
  }
}

static void print_form(printer *p, node_id form) {
  p->inside_end = find_inside_end(p, form);
  print_comments_before_head(p, form);
  const bool wrapped = needs_parentheses(p, form);
  if (wrapped) text_add_char(p->out, '(');
  if (!print_unbroken(p, form, CONTEXT_TOP)) print_broken(p, form, CONTEXT_TOP);
  if (wrapped) text_add_char(p->out, ')');
  if (p->notation == NOTATION_KIF) return;
  if (p->needs_line) new_line(p, RULE_INDENT);
  text_add_char(p->out, '.');
}

/* A new line, and an empty one where the text has one. */
static void begin_item(printer *p, uint32_t start) {
  if (p->out->length == 0) return;
  if (p->last_end < start && line_ends(p, p->last_end, start) == 2) new_line(p, 0);
  new_line(p, 0);
}

static void print_top_comments(printer *p, uint32_t offset) {
  while (p->comment < p->t->comments.count && p->t->comments.items[p->comment].start < offset) {
    const bool follows_form = p->out->length && !p->needs_line && is_trailing(p, p->comment);
    if (follows_form)
      text_add_char(p->out, ' ');
    else
      begin_item(p, p->t->comments.items[p->comment].start);
    print_comment(p, 0);
  }
}

/* Comments of the form that have found no place in it are put behind it. */
static void print_comments_of_form(printer *p, node_id form) {
  const uint32_t end = tree_node(p->t, form)->where.end;
  if (p->comment < p->t->comments.count && p->t->comments.items[p->comment].start < end)
    p->last_end = end_before(p->t, form, p->t->comments.items[p->comment].start);
  print_top_comments(p, end);
  p->last_end = end;
}

void tree_format(const tree *t, format_options options, text *out) {
  const uint32_t width = options.width ? options.width : FORMAT_WIDTH;
  text made = text_new(out->keep);
  printer p = {.t = t, .notation = options.notation, .out = &made, .scratch = arena_new()};
  p.width = options.notation == NOTATION_PROLOG && width > 1 ? width - 1 : width;
  for (node_id n = 0; n != t->nodes.count; n = node_after(t, n)) {
    const span where = tree_node(t, n)->where;
    print_top_comments(&p, where.start);
    begin_item(&p, where.start);
    p.needs_line = false;
    print_form(&p, n);
    print_comments_of_form(&p, n);
  }
  print_top_comments(&p, UINT32_MAX);
  if (made.length) new_line(&p, 0);
  text_add_bytes(out, made.bytes, made.length);
  arena_free(p.scratch);
}
