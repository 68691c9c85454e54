/* Infix notation: `head :- a, b.`

   One clause at a time is read by operator precedence with a stack of our own, so that no
   text can be nested too deeply, into cells (clause_cells.h), which are then written out as nodes.

   `:-` binds less than `or`, that less than `,`, that less than `not`, that less than `!=`. */
#include "read/clause_cells.h"
#include "read/clause_end.h"
#include "read/parse.h"
#include "read/token.h"

/* In the order of how strongly they bind; the first two are parentheses. */
typedef enum entry_kind {
  ENTRY_GROUP,
  ENTRY_ARGUMENTS,
  ENTRY_ARROW,
  ENTRY_OR,
  ENTRY_AND,
  ENTRY_NOT,
  ENTRY_DISTINCT
} entry_kind;

typedef struct entry {
  entry_kind kind;
  span where;
} entry;

typedef struct infix_reader {
  tree *t;
  arena *keep;
  arena *scratch;
  diag_sink *d;
  tokenizer tokens;
  token now;
  token ahead;
  clause_cells cells; /* of this clause */
  VEC(cell_id) operands;
  VEC(entry) entries; /* what is open or waits for its right operand */
  id_vec parentheses; /* indexes of those entries that are parentheses */
  clause_ends ends;
  uint32_t behind; /* where the token before `now` ends */
  uint32_t start;  /* offset and column of the clause's first token */
  uint32_t column;
} infix_reader;

/* What a step did with the clause. */
typedef enum step { STEP_OPERAND, STEP_OPERATOR, STEP_DONE, STEP_FAILED } step;

static void advance(infix_reader *r) {
  r->behind = r->now.where.end;
  r->now = r->ahead;
  r->ahead = token_next(&r->tokens);
}

/* ---- operands ---- */

static void push_operand(infix_reader *r, cell_id c) { vec_push(r->scratch, &r->operands, c); }

static cell_id pop_operand(infix_reader *r) {
  assert(r->operands.count);
  return vec_pop(&r->operands);
}

/* ---- reducing ---- */

static void reduce_not(infix_reader *r, span where) {
  const cell_id operand = pop_operand(r);
  const cell_id list = cell_new_list(&r->cells, SYM_NOT, where);
  cell_append(&r->cells, list, operand);
  push_operand(r, list);
}

static void reduce_distinct(infix_reader *r, span where) {
  const cell_id right = pop_operand(r);
  const cell_id left = pop_operand(r);
  const cell_id list = cell_new_list(&r->cells, SYM_DISTINCT, where);
  cell_append(&r->cells, list, left);
  cell_append(&r->cells, list, right);
  push_operand(r, list);
}

/* a, b, c is one list. */
static void reduce_chain(infix_reader *r, symbol_id functor, span where) {
  const cell_id right = pop_operand(r);
  cell_id chain = pop_operand(r);
  if (!cell_at(&r->cells, chain)->is_chain || cell_functor(&r->cells, chain) != functor) {
    const cell_id left = chain;
    chain = cell_new_list(&r->cells, functor, where);
    cell_append(&r->cells, chain, left);
    cell_at(&r->cells, chain)->is_chain = true;
  }
  cell_append(&r->cells, chain, right);
  push_operand(r, chain);
}

/* A conjunction that is the whole body gives its elements to the rule. */
static void append_body(infix_reader *r, cell_id rule, cell_id body) {
  if (!cell_at(&r->cells, body)->is_chain || cell_functor(&r->cells, body) != SYM_AND) {
    cell_append(&r->cells, rule, body);
    return;
  }
  const cell_id name = cell_at(&r->cells, body)->first;
  for (cell_id c = cell_at(&r->cells, name)->next; c != CELL_NONE;) {
    const cell_id next = cell_at(&r->cells, c)->next;
    cell_append(&r->cells, rule, c);
    c = next;
  }
}

static void reduce_arrow(infix_reader *r, span where) {
  const cell_id body = r->operands.count > 1 ? pop_operand(r) : CELL_NONE;
  const cell_id head = pop_operand(r);
  const cell_id rule = cell_new_list(&r->cells, SYM_RULE, where);
  cell_append(&r->cells, rule, head);
  if (body != CELL_NONE) append_body(r, rule, body);
  push_operand(r, rule);
}

static void reduce_top(infix_reader *r) {
  const entry e = vec_pop(&r->entries);
  switch (e.kind) {
    case ENTRY_NOT: reduce_not(r, e.where); return;
    case ENTRY_DISTINCT: reduce_distinct(r, e.where); return;
    case ENTRY_AND: reduce_chain(r, SYM_AND, e.where); return;
    case ENTRY_OR: reduce_chain(r, SYM_OR, e.where); return;
    default: reduce_arrow(r, e.where); return;
  }
}

/* Down to the innermost parenthesis, or to an operator that binds less than `kind`. */
static void reduce_to(infix_reader *r, entry_kind kind) {
  while (r->entries.count && vec_last(&r->entries).kind >= kind) reduce_top(r);
}

static void push_entry(infix_reader *r, entry_kind kind, span where) {
  vec_push(r->scratch, &r->entries, ((entry){kind, where}));
}

/* ---- faults ---- */

static slice words_of(const infix_reader *r, span where) {
  const slice all = source_slice(r->t->source, where);
  return (slice){all.start, all.length < 40 ? all.length : 40};
}

static step report_stray(infix_reader *r, const char *problem) {
  const slice words = words_of(r, r->now.where);
  if (r->now.kind == TOKEN_END_OF_TEXT)
    diag_add(r->d, DIAG_E104, r->now.where, "the text ends where %s", problem);
  else
    diag_add(r->d, DIAG_E104, r->now.where, "`%.*s` stands where %s", (int)words.length,
             words.start, problem);
  return STEP_FAILED;
}

static step report_missing_operand(infix_reader *r) {
  return report_stray(r, r->parentheses.count ? "a term must be" : "a literal must be");
}

static step report_missing_operator(infix_reader *r) {
  return report_stray(r, r->parentheses.count ? "`,` or `)` must be"
                                              : "`,` or the end of the clause must be");
}

static uint32_t open_parentheses(const infix_reader *r) { return r->parentheses.count; }

static step report_unclosed(infix_reader *r) {
  const uint32_t missing = open_parentheses(r);
  const span where = r->entries.items[r->parentheses.items[0]].where;
  diag *g = missing == 1 ? diag_add(r->d, DIAG_E101, where, "this parenthesis is never closed")
                         : diag_add(r->d, DIAG_E101, where,
                                    "this parenthesis and %u more are never closed", missing - 1);
  const token_kind kind = r->now.kind;
  diag_relate(r->d, g, r->now.where, "%s",
              kind == TOKEN_STOP          ? "the clause ends here"
              : kind == TOKEN_ARROW       ? "its body starts here"
              : kind == TOKEN_END_OF_TEXT ? "the text ends here"
                                          : "the next clause seems to start here");
  if (missing == 1)
    diag_hint(r->d, g, "add a `)` before there");
  else
    diag_hint(r->d, g, "add %u `)` before there", missing);
  return STEP_FAILED;
}

static void report_extra(infix_reader *r) {
  diag *g = diag_add(r->d, DIAG_E102, r->now.where, "this parenthesis closes nothing");
  diag_hint(r->d, g, "remove it, or open one before");
}

/* What the tokenizer has reported needs no second word. */
static step report_foreign(infix_reader *r) {
  if (r->now.kind == TOKEN_BAD) return STEP_FAILED;
  const char c = r->t->source->bytes[r->now.where.start];
  diag *g = diag_add(r->d, DIAG_E104, r->now.where, "`%c` has no meaning here", c);
  if (c == '"')
    diag_hint(r->d, g, "names are quoted with `'`");
  else if (c == '[' || c == ']')
    diag_hint(r->d, g, "GDL has no lists");
  return STEP_FAILED;
}

static const char *hint_for_operator(slice words) {
  static const char *const hints[][2] = {
      {"=", "GDL has no equality: write the same variable in both places, or `!=` for distinct"},
      {"==", "GDL has no equality: write the same variable in both places, or `!=` for distinct"},
      {"\\==", "write `!=`"},
      {"=\\=", "write `!=`"},
      {"~=", "write `!=`"},
      {"/=", "write `!=`"},
      {"<>", "write `!=`"},
      {"->", "write the head first: `head :- body`"},
      {"=>", "write the head first: `head :- body`"},
      {"-->", "write the head first: `head :- body`"},
      {"<->", "write two rules"},
      {"<=>", "write two rules"},
      {":=", "write `:-`"},
      {"&&", "write `,`"},
      {"||", "write `or`"},
      {"!", "GDL has no cut"},
  };
  for (size_t i = 0; i < sizeof hints / sizeof *hints; i++)
    if (slice_equals(words, hints[i][0])) return hints[i][1];
  return "GDL compares with `!=` only and has no arithmetic; a name with such marks is quoted: '+'";
}

static void report_operator(infix_reader *r) {
  const slice words = words_of(r, r->now.where);
  diag *g = diag_add(r->d, DIAG_E105, r->now.where, "GDL has no operator `%.*s`", (int)words.length,
                     words.start);
  diag_hint(r->d, g, "%s", hint_for_operator(words));
}

/* ---- where an operand must be ---- */

static bool begins_operand(const token *k) {
  switch (k->kind) {
    case TOKEN_NAME:
    case TOKEN_VARIABLE:
    case TOKEN_FRESH:
    case TOKEN_OPEN:
    case TOKEN_NOT: return true;
    default: return false;
  }
}

/* `not a` and `not (a)`; but `not(a)` is like any other name, and so is `p(not)`. */
static bool is_prefix_not(const infix_reader *r) {
  if (r->now.kind != TOKEN_NOT) return false;
  if (!r->now.is_word) return true;
  const token *next = &r->ahead;
  return begins_operand(next) && !(next->kind == TOKEN_OPEN && next->touches);
}

static symbol_id symbol_of_now(infix_reader *r) {
  switch (r->now.kind) {
    case TOKEN_FRESH: return SYM_FRESH;
    case TOKEN_MARKS:
      return symbol_intern_constant(r->t->symbols, source_slice(r->t->source, r->now.where));
    default: return r->now.symbol;
  }
}

/* A list opens right behind its name; a blank between is forgiven on the same line. */
static bool opens_arguments(const infix_reader *r) {
  return r->now.kind == TOKEN_OPEN && !r->now.is_first;
}

static void open_parenthesis(infix_reader *r, entry_kind kind) {
  vec_push(r->scratch, &r->parentheses, r->entries.count);
  push_entry(r, kind, r->now.where);
  advance(r);
}

static step read_name(infix_reader *r) {
  const cell_id name = cell_new(&r->cells, symbol_of_now(r), r->now.where);
  advance(r);
  push_operand(r, name);
  if (!opens_arguments(r)) return STEP_OPERATOR;
  const cell_id list = cell_new(&r->cells, SYM_NONE, cell_at(&r->cells, name)->where);
  cell_append(&r->cells, list, name);
  pop_operand(r);
  push_operand(r, list);
  open_parenthesis(r, ENTRY_ARGUMENTS);
  return STEP_OPERAND;
}

static step read_not(infix_reader *r) {
  push_entry(r, ENTRY_NOT, r->now.where);
  advance(r);
  return STEP_OPERAND;
}

static bool is_open(const infix_reader *r, entry_kind kind) {
  return r->entries.count && vec_last(&r->entries).kind == kind;
}

static step close_parenthesis(infix_reader *r) {
  r->entries.count--;
  r->parentheses.count--;
  advance(r);
  return STEP_OPERATOR;
}

/* a() is a. */
static step close_no_arguments(infix_reader *r) {
  const cell_id list = vec_last(&r->operands);
  vec_last(&r->operands) = cell_at(&r->cells, list)->first;
  return close_parenthesis(r);
}

static step report_empty_group(infix_reader *r) {
  const span where = {vec_last(&r->entries).where.start, r->now.where.end};
  diag_add(r->d, DIAG_E103, where, "nothing is in these parentheses");
  return STEP_FAILED;
}

static step read_close_for_operand(infix_reader *r) {
  if (open_parentheses(r) == 0) {
    report_extra(r);
    advance(r);
    return STEP_OPERAND;
  }
  if (is_open(r, ENTRY_GROUP)) return report_empty_group(r);
  if (!is_open(r, ENTRY_ARGUMENTS)) return report_missing_operand(r);
  const cell *list = cell_at(&r->cells, vec_last(&r->operands));
  return list->first == list->last ? close_no_arguments(r) : report_missing_operand(r);
}

static step report_no_head(infix_reader *r) {
  diag *g = diag_add(r->d, DIAG_E106, r->now.where, "this rule has no head");
  diag_hint(r->d, g, "write `head :- body`");
  return STEP_FAILED;
}

/* The clause ends after `:-`: a rule without conditions. */
static bool is_empty_body(const infix_reader *r) {
  return is_open(r, ENTRY_ARROW) && (r->now.kind == TOKEN_STOP || r->now.kind == TOKEN_END_OF_TEXT);
}

static step finish_or_report(infix_reader *r) {
  if (is_empty_body(r) && r->now.kind == TOKEN_STOP) return STEP_DONE;
  return open_parentheses(r) ? report_unclosed(r) : report_missing_operand(r);
}

static step read_operand(infix_reader *r) {
  if (is_prefix_not(r)) return read_not(r);
  switch (r->now.kind) {
    case TOKEN_NAME:
    case TOKEN_VARIABLE:
    case TOKEN_FRESH:
    case TOKEN_MARKS: return read_name(r);
    case TOKEN_OPEN: open_parenthesis(r, ENTRY_GROUP); return STEP_OPERAND;
    case TOKEN_CLOSE: return read_close_for_operand(r);
    case TOKEN_NOT:
    case TOKEN_AND:
    case TOKEN_OR: return r->now.is_word ? read_name(r) : report_missing_operand(r);
    case TOKEN_ARROW:
      return r->now.where.start == r->start ? report_no_head(r) : report_missing_operand(r);
    case TOKEN_STOP:
    case TOKEN_END_OF_TEXT: return finish_or_report(r);
    case TOKEN_FOREIGN:
    case TOKEN_BAD: return report_foreign(r);
    default: return report_missing_operand(r);
  }
}

/* ---- where an operator must be ---- */

/* The argument on top of the operands is the next element of the list below it. */
static void append_argument(infix_reader *r) {
  reduce_to(r, ENTRY_ARROW);
  const cell_id argument = pop_operand(r);
  cell_at(&r->cells, argument)->is_chain = false;
  cell_append(&r->cells, vec_last(&r->operands), argument);
}

static bool is_in_arguments(const infix_reader *r) {
  return r->parentheses.count &&
         r->entries.items[vec_last(&r->parentheses)].kind == ENTRY_ARGUMENTS;
}

static step read_infix(infix_reader *r, entry_kind kind) {
  reduce_to(r, kind);
  push_entry(r, kind, r->now.where);
  advance(r);
  return STEP_OPERAND;
}

static step read_comma(infix_reader *r) {
  if (!is_in_arguments(r)) return read_infix(r, ENTRY_AND);
  append_argument(r);
  advance(r);
  return STEP_OPERAND;
}

static step close_group(infix_reader *r) {
  reduce_to(r, ENTRY_ARROW);
  const uint32_t start = vec_last(&r->entries).where.start;
  cell *operand = cell_at(&r->cells, vec_last(&r->operands));
  if (operand->is_chain) operand->where = (span){start, r->now.where.end};
  operand->is_chain = false;
  return close_parenthesis(r);
}

static step read_close(infix_reader *r) {
  if (open_parentheses(r) == 0) {
    report_extra(r);
    advance(r);
    return STEP_OPERATOR;
  }
  if (!is_in_arguments(r)) return close_group(r);
  append_argument(r);
  cell_at(&r->cells, vec_last(&r->operands))->where.end = r->now.where.end;
  return close_parenthesis(r);
}

static bool has_arrow(const infix_reader *r) {
  return r->entries.count && r->entries.items[0].kind == ENTRY_ARROW;
}

static step read_arrow(infix_reader *r) {
  if (open_parentheses(r)) return report_unclosed(r);
  if (has_arrow(r)) return report_missing_operator(r);
  return read_infix(r, ENTRY_ARROW);
}

/* The clause is read on as if `!=` were there, which keeps its variables in use. */
static step read_unknown_operator(infix_reader *r) {
  report_operator(r);
  return read_infix(r, ENTRY_DISTINCT);
}

static bool is_senseless(const token *k) {
  return k->kind == TOKEN_FOREIGN || k->kind == TOKEN_BAD;
}

/* A clause ends with its line, too, unless what follows can only go on with it. */
static bool is_next_clause(const infix_reader *r) {
  const token *k = &r->now;
  if (!k->is_first) return false;
  if (k->kind == TOKEN_MARKS) return r->ahead.kind == TOKEN_OPEN && r->ahead.touches;
  return begins_operand(k) || is_senseless(k);
}

static step read_next_clause(infix_reader *r) {
  if (open_parentheses(r) == 0) return STEP_DONE;
  return r->now.column <= r->column ? report_unclosed(r) : report_missing_operator(r);
}

static step read_other(infix_reader *r) {
  if (is_next_clause(r)) return read_next_clause(r);
  if (r->now.kind == TOKEN_MARKS) return read_unknown_operator(r);
  return is_senseless(&r->now) ? report_foreign(r) : report_missing_operator(r);
}

static step read_operator(infix_reader *r) {
  switch (r->now.kind) {
    case TOKEN_COMMA: return read_comma(r);
    case TOKEN_AND: return read_infix(r, ENTRY_AND);
    case TOKEN_OR: return read_infix(r, ENTRY_OR);
    case TOKEN_DISTINCT: return read_infix(r, ENTRY_DISTINCT);
    case TOKEN_ARROW: return read_arrow(r);
    case TOKEN_CLOSE: return read_close(r);
    case TOKEN_STOP:
    case TOKEN_END_OF_TEXT: return open_parentheses(r) ? report_unclosed(r) : STEP_DONE;
    default: return read_other(r);
  }
}

/* ---- clauses ---- */

static void start_clause(infix_reader *r) {
  r->cells.all.count = r->operands.count = r->entries.count = r->parentheses.count = 0;
  r->start = r->now.where.start;
  r->column = r->now.is_first ? r->now.column : 1;
}

static void note_clause_end(infix_reader *r) {
  if (r->now.kind == TOKEN_STOP) {
    r->ends.stops++;
  } else if (r->now.kind == TOKEN_END_OF_TEXT) {
    r->ends.is_open = true;
    r->ends.last = r->behind;
  } else {
    vec_push(r->scratch, &r->ends.loose,
             ((loose_end){r->behind, r->now.where, r->now.column > r->column}));
  }
}

/* The full stop is part of a rule, so that a comment before it is inside. */
static void finish_clause(infix_reader *r) {
  reduce_to(r, ENTRY_ARROW);
  const cell_id root = pop_operand(r);
  cell_at(&r->cells, root)->next = CELL_NONE;
  const bool is_rule =
      cell_functor(&r->cells, root) == SYM_RULE && cell_at(&r->cells, root)->symbol == SYM_NONE;
  if (is_rule && r->now.kind == TOKEN_STOP) cell_at(&r->cells, root)->where.end = r->now.where.end;
  cells_name_fresh(&r->cells, r->t->symbols);
  cells_write(&r->cells, root, r->t, r->keep);
  note_clause_end(r);
  if (r->now.kind == TOKEN_STOP) advance(r);
}

/* To the next full stop, or to a line that looks like the start of a clause. */
static void skip_clause(infix_reader *r) {
  if (r->now.where.start == r->start && r->now.kind != TOKEN_STOP) advance(r);
  while (r->now.kind != TOKEN_END_OF_TEXT && r->now.kind != TOKEN_STOP) {
    if (is_next_clause(r) && r->now.column <= r->column) return;
    advance(r);
  }
  if (r->now.kind == TOKEN_STOP) advance(r);
}

/* ---- directives ---- */

/* Directives of a Prolog text are about its own system, not about the game. */
static bool begins_directive(const infix_reader *r) {
  static const char *const names[] = {"discontiguous", "dynamic", "table",      "style_check",
                                      "encoding",      "module",  "use_module", "set_prolog_flag"};
  if (r->now.kind != TOKEN_ARROW || r->ahead.kind != TOKEN_NAME) return false;
  if (!slice_equals(source_slice(r->t->source, r->now.where), ":-")) return false;
  const slice name = source_slice(r->t->source, r->ahead.where);
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (slice_equals(name, names[i])) return true;
  return false;
}

/* Puts a comment in its place: the tokenizer is ahead and may have met others, inside of it too. */
static void add_comment(infix_reader *r, span where) {
  tree *t = r->t;
  vec_push(r->keep, &t->comments, where);
  uint32_t at = t->comments.count - 1;
  for (; at && t->comments.items[at - 1].start > where.end; at--)
    t->comments.items[at] = t->comments.items[at - 1];
  uint32_t inside = 0;
  while (inside < at && t->comments.items[at - 1 - inside].start > where.start) inside++;
  t->comments.items[at - inside] = where;
  for (uint32_t i = at + 1; i < t->comments.count; i++)
    t->comments.items[i - inside] = t->comments.items[i];
  t->comments.count -= inside;
}

/* A directive is kept like a comment. */
static void read_directive(infix_reader *r) {
  const uint32_t start = r->now.where.start;
  while (r->now.kind != TOKEN_STOP && r->now.kind != TOKEN_END_OF_TEXT) advance(r);
  add_comment(r, (span){start, r->now.where.end});
  if (r->now.kind == TOKEN_STOP) advance(r);
}

static void read_clause(infix_reader *r) {
  start_clause(r);
  step next = STEP_OPERAND;
  while (next == STEP_OPERAND || next == STEP_OPERATOR)
    next = next == STEP_OPERAND ? read_operand(r) : read_operator(r);
  if (next == STEP_DONE)
    finish_clause(r);
  else
    skip_clause(r);
}

void prolog_parse(tree *t, arena *keep, diag_sink *d) {
  infix_reader r = {.t = t, .keep = keep, .d = d, .scratch = arena_new()};
  r.cells.scratch = r.scratch;
  r.tokens = tokens_of(t, keep, r.scratch, d);
  advance(&r);
  advance(&r);
  while (r.now.kind != TOKEN_END_OF_TEXT)
    if (begins_directive(&r))
      read_directive(&r);
    else
      read_clause(&r);
  clause_ends_report(&r.ends, d);
  arena_free(r.scratch);
}
