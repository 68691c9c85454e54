#include "rules/outline.h"

#include <stdlib.h>

/* What may stand at a node: follows from what is around it. */
typedef enum context {
  CONTEXT_HEAD,
  CONTEXT_FORMULA,
  CONTEXT_TERM,
  CONTEXT_NAME, /* the first element of an atom or a term */
  CONTEXT_OPERATOR
} context;

typedef struct making {
  outline *o;
  const tree *t;
  uint8_t *contexts;  /* by node */
  uint32_t *arities;  /* by node that is a name: how many arguments follow */
  bool *is_in_term;   /* by node that is a name: of a function, not of a relation */
  symbol_id *head_of; /* by node: the keyword of the head that it is an argument of; SYM_NONE */
  uint32_t clause;
} making;

/* ---- contexts ---- */

static bool is_operator(symbol_id s) { return s == SYM_NOT || s == SYM_AND || s == SYM_OR; }

static void give_context(making *m, node_id child, node_id parent, context c) {
  m->contexts[child] = (uint8_t)c;
  m->o->parents[child] = parent;
}

/* A definition is an argument of one of these, in a head. */
static bool gives_names(symbol_id keyword) {
  return keyword == SYM_ROLE || keyword == SYM_INIT || keyword == SYM_NEXT ||
         keyword == SYM_LEGAL || keyword == SYM_BASE || keyword == SYM_INPUT || keyword == SYM_SEES;
}

/* The elements of the list at `n`, whose own context is known. */
static void enter_list(making *m, node_id n, context of_first, context of_others) {
  const tree *t = m->t;
  const node_id first = node_first(n);
  const symbol_id functor = node_functor(t, n);
  uint32_t i = 0;
  for (node_id c = first; c != node_after(t, n); c = node_after(t, c), i++) {
    give_context(m, c, n, i ? of_others : of_first);
    m->head_of[c] =
        i && m->contexts[n] == CONTEXT_HEAD && gives_names(functor) ? functor : SYM_NONE;
  }
  m->arities[first] = i - 1;
  m->is_in_term[first] = m->contexts[n] == CONTEXT_TERM;
}

/* `(<= head body ...)` */
static void enter_rule(making *m, node_id n) {
  const tree *t = m->t;
  uint32_t i = 0;
  for (node_id c = node_first(n); c != node_after(t, n); c = node_after(t, c), i++)
    give_context(m, c, n, i == 0 ? CONTEXT_OPERATOR : i == 1 ? CONTEXT_HEAD : CONTEXT_FORMULA);
}

static bool is_top(const making *m, node_id n) { return m->o->parents[n] == UINT32_MAX; }

static void enter(making *m, node_id n) {
  if (!node_is_list(m->t, n) || node_first(n) == node_after(m->t, n)) return;
  const symbol_id functor = node_functor(m->t, n);
  const context c = m->contexts[n];
  if (functor == SYM_RULE && (is_top(m, n) || c == CONTEXT_FORMULA))
    enter_rule(m, n);
  else if (c == CONTEXT_FORMULA && is_operator(functor))
    enter_list(m, n, CONTEXT_OPERATOR, CONTEXT_FORMULA);
  else if (c == CONTEXT_FORMULA && functor == SYM_DISTINCT)
    enter_list(m, n, CONTEXT_OPERATOR, CONTEXT_TERM);
  else
    enter_list(m, n, CONTEXT_NAME, CONTEXT_TERM);
}

/* ---- words ---- */

/* The infix notation has operators that nobody wrote, with the place of what they join. */
static bool is_written(const making *m, node_id n) {
  const slice bytes = source_slice(m->t->source, tree_node(m->t, n)->where);
  if (bytes.length == 0) return false;
  if (m->t->notation == NOTATION_KIF) return true;
  for (size_t i = 0; i < bytes.length; i++)
    if (bytes.start[i] == '(' || bytes.start[i] == ' ' || bytes.start[i] == '\n') return false;
  return bytes.start[0] != ',' && bytes.start[0] != '_';
}

static word_kind kind_of(const making *m, node_id n, uint32_t arity) {
  const symbol_id s = tree_node(m->t, n)->symbol;
  const context c = m->contexts[n];
  if (c == CONTEXT_OPERATOR) return WORD_OPERATOR;
  if (symbol_is_variable(m->t->symbols, s)) return WORD_VARIABLE;
  if (c == CONTEXT_TERM) return WORD_CONSTANT;
  if (c == CONTEXT_NAME && m->is_in_term[n]) return WORD_FUNCTION;
  return symbol_is_keyword_relation(s) && keyword_arity(s) == arity ? WORD_KEYWORD : WORD_RELATION;
}

/* Is it in the place that says what the thing is? */
static bool defines(const making *m, node_id n, word_kind kind) {
  const node_id list = m->contexts[n] == CONTEXT_NAME ? m->o->parents[n] : n;
  if (kind == WORD_RELATION || kind == WORD_KEYWORD) return m->contexts[list] == CONTEXT_HEAD;
  if (kind == WORD_FUNCTION || kind == WORD_CONSTANT) return m->head_of[list] != SYM_NONE;
  return false;
}

static uint64_t hash_thing(const void *context, uint32_t id) {
  const thing *it = &((const outline *)context)->things.items[id];
  const uint32_t key[] = {it->name, it->kind, it->arity, it->clause};
  return hash_ids(key, 4);
}

static bool is_same_thing(const thing *a, const thing *b) {
  return a->name == b->name && a->kind == b->kind && a->arity == b->arity && a->clause == b->clause;
}

static uint32_t find_thing(outline *o, const thing *wanted) {
  id_table_reserve(&o->thing_index, o->keep, hash_thing, o);
  const uint32_t key[] = {wanted->name, wanted->kind, wanted->arity, wanted->clause};
  uint32_t at = id_table_first(&o->thing_index, hash_ids(key, 4));
  for (;; at = id_table_next(&o->thing_index, at)) {
    const uint32_t id = o->thing_index.slots[at];
    if (id == ID_NONE) break;
    if (is_same_thing(&o->things.items[id], wanted)) return id;
  }
  id_table_put(&o->thing_index, at, o->things.count);
  vec_push(o->keep, &o->things, *wanted);
  return o->things.count - 1;
}

static uint32_t thing_of(making *m, node_id n, word_kind kind, uint32_t arity) {
  const thing wanted = {.name = tree_node(m->t, n)->symbol,
                        .kind = kind,
                        .arity = arity,
                        .clause = kind == WORD_VARIABLE ? m->clause : OUTLINE_NONE,
                        .doc = SPAN_NONE};
  return find_thing(m->o, &wanted);
}

static void add_word(making *m, node_id n) {
  if (node_is_list(m->t, n) || !is_written(m, n)) return;
  const uint32_t arity = m->contexts[n] == CONTEXT_NAME ? m->arities[n] : 0;
  const word_kind kind = kind_of(m, n, arity);
  const word w = {.where = tree_node(m->t, n)->where,
                  .node = n,
                  .kind = kind,
                  .thing = kind == WORD_OPERATOR
                               ? OUTLINE_NONE
                               : thing_of(m, n, kind, kind == WORD_VARIABLE ? 0 : arity),
                  .clause = m->clause,
                  .defines = defines(m, n, kind)};
  vec_push(m->o->keep, &m->o->words, w);
}

/* Comments before `offset` that are no words yet; *next is the first of them. */
static void add_comments(outline *o, uint32_t *next, uint32_t offset) {
  for (; *next < o->tree->comments.count; ++*next) {
    const word w = {.where = o->tree->comments.items[*next],
                    .node = UINT32_MAX,
                    .kind = WORD_COMMENT,
                    .thing = OUTLINE_NONE,
                    .clause = OUTLINE_NONE};
    if (w.where.start > offset) return;
    vec_push(o->keep, &o->words, w);
  }
}

static int compare_words(const void *left, const void *right) {
  const word *a = left, *b = right;
  if (a->where.start != b->where.start) return a->where.start < b->where.start ? -1 : 1;
  return (a->node > b->node) - (a->node < b->node);
}

static bool are_in_order(const outline *o) {
  for (uint32_t i = 1; i < o->words.count; i++)
    if (o->words.items[i].where.start < o->words.items[i - 1].where.end) return false;
  return true;
}

/* Of several words that begin at one place, the infix notation has only the one in the text. */
static void sort_words(outline *o) {
  if (are_in_order(o)) return; /* as KIF has them */
  qsort(o->words.items, o->words.count, sizeof *o->words.items, compare_words);
  uint32_t kept = 0;
  for (uint32_t i = 0; i < o->words.count; i++)
    if (!kept || o->words.items[i].where.start >= o->words.items[kept - 1].where.end)
      o->words.items[kept++] = o->words.items[i];
  o->words.count = kept;
}

/* ---- clauses ---- */

static void add_clause(making *m, node_id n) {
  const bool is_rule = node_is_list(m->t, n) && node_functor(m->t, n) == SYM_RULE;
  const outline_clause c = {n, tree_node(m->t, n)->where, OUTLINE_NONE, is_rule};
  m->clause = m->o->clauses.count;
  vec_push(m->o->keep, &m->o->clauses, c);
  give_context(m, n, UINT32_MAX, CONTEXT_HEAD);
}

static void index_words(outline *o) {
  for (uint32_t i = 0; i < o->words.count; i++) {
    const word *w = &o->words.items[i];
    if (w->node != UINT32_MAX) o->word_of_node[w->node] = i;
    if (w->thing != OUTLINE_NONE) o->things.items[w->thing].word_count++;
  }
  uint32_t next = 0;
  for (uint32_t i = 0; i < o->things.count; i++) {
    o->things.items[i].first_word = next;
    next += o->things.items[i].word_count;
    o->things.items[i].word_count = 0;
  }
  vec_reserve(o->keep, &o->words_of, next);
  o->words_of.count = next;
  for (uint32_t i = 0; i < o->words.count; i++) {
    if (o->words.items[i].thing == OUTLINE_NONE) continue;
    thing *it = &o->things.items[o->words.items[i].thing];
    o->words_of.items[it->first_word + it->word_count++] = i;
  }
}

static void find_heads(outline *o) {
  for (uint32_t i = 0; i < o->clauses.count; i++) {
    outline_clause *c = &o->clauses.items[i];
    node_id head = c->node;
    if (c->is_rule) head = node_after(o->tree, node_first(head));
    if (head >= node_after(o->tree, c->node)) continue;
    if (node_is_list(o->tree, head) && node_first(head) != node_after(o->tree, head))
      head = node_first(head);
    if (!node_is_list(o->tree, head)) c->head = o->word_of_node[head];
  }
}

/* ---- comments above a clause ---- */

/* Do these bytes hold at most one line end and else blanks? */
static bool is_next_line(const char *at, const char *end) {
  uint32_t line_ends = 0;
  for (; at < end; at++) {
    if (*at == '\n') line_ends++;
    if (*at != ' ' && *at != '\t' && *at != '\r' && *at != '\n') return false;
  }
  return line_ends == 1;
}

/* Comments on lines of their own, down to the line above `start`. */
static span doc_above(const outline *o, uint32_t start) {
  const tree *t = o->tree;
  const char *bytes = t->source->bytes;
  uint32_t low = 0, high = t->comments.count;
  while (low < high) {
    const uint32_t middle = (low + high) / 2;
    if (t->comments.items[middle].end <= start)
      low = middle + 1;
    else
      high = middle;
  }
  span doc = SPAN_NONE;
  for (uint32_t below = start; low--; below = doc.start) {
    const span c = t->comments.items[low];
    if (!is_next_line(bytes + c.end, bytes + below)) break;
    const bool is_first = c.start == 0 || bytes[c.start - 1] == '\n';
    if (!is_first) break;
    doc = (span){c.start, doc.end == UINT32_MAX ? c.end : doc.end};
  }
  return doc;
}

static void find_docs(outline *o) {
  for (uint32_t i = 0; i < o->words.count; i++) {
    const word *w = &o->words.items[i];
    if (!w->defines || w->kind == WORD_KEYWORD) continue;
    thing *it = &o->things.items[w->thing];
    if (it->doc.start == UINT32_MAX && o->words_of.items[it->first_word] <= i)
      it->doc = doc_above(o, o->clauses.items[w->clause].where.start);
  }
}

void outline_make(outline *o, const tree *t, arena *keep) {
  const uint32_t count = t->nodes.count;
  *o = (outline){.keep = keep, .tree = t};
  vec_reserve(keep, &o->words, count + 1);
  o->parents = arena_new_array(keep, node_id, count + 1);
  o->word_of_node = arena_new_array(keep, uint32_t, count + 1);
  memset(o->word_of_node, 0xff, sizeof *o->word_of_node * (count + 1));
  making m = {.o = o,
              .t = t,
              .contexts = arena_zero_array(keep, uint8_t, count + 1),
              .arities = arena_zero_array(keep, uint32_t, count + 1),
              .is_in_term = arena_zero_array(keep, bool, count + 1),
              .head_of = arena_new_array(keep, symbol_id, count + 1)};
  memset(m.head_of, 0xff, sizeof *m.head_of * (count + 1));
  node_id top = 0;
  uint32_t next_comment = 0;
  for (node_id n = 0; n < count; n++) { /* what is around a node comes before it */
    if (n == top) {
      add_clause(&m, n);
      top = node_after(t, n);
    }
    enter(&m, n);
    add_comments(o, &next_comment, tree_node(t, n)->where.start);
    add_word(&m, n);
  }
  add_comments(o, &next_comment, UINT32_MAX);
  sort_words(o);
  index_words(o);
  find_heads(o);
  find_docs(o);
}
