/* What can be written at a place: values of the argument, variables of the rule, relations, words
   of the language. */
#include "lsp/lsp_json.h"
#include "lsp/lsp_words.h"

enum { ITEM_FUNCTION = 3, ITEM_VARIABLE = 6, ITEM_KEYWORD = 14, ITEM_VALUE = 12, ITEM_STRUCT = 22 };
enum { MOST_VALUES = 500 };

typedef struct completion {
  lsp_document *document;
  const tabia_source *source;
  bool has_snippets;
  bool is_kif;
  bool is_open;      /* a parenthesis stands before the word already */
  size_t start, end; /* the word that is replaced */
  json_t *items;
  uint32_t values;
} completion;

static void add_item(completion *c, const char *label, int kind, const char *detail, char rank,
                     const char *words, bool is_snippet) {
  arena *scratch = arena_new();
  text order = text_new(scratch);
  text_add_format(&order, "%c%s", rank, label);
  json_t *item =
      json_pack("{so si so so}", "label", lsp_text_json(label, strlen(label)), "kind", kind,
                "sortText", lsp_text_json(text_string(&order), order.length), "textEdit",
                lsp_edit_json(c->document, c->start, c->end, words, strlen(words)));
  if (is_snippet) json_object_set_new(item, "insertTextFormat", json_integer(2));
  if (detail) json_object_set_new(item, "detail", lsp_text_json(detail, strlen(detail)));
  json_array_append_new(c->items, item);
  arena_free(scratch);
}

/* A name with placeholders for its arguments. */
static void add_call(completion *c, const char *name, uint32_t arity, const char *const *arguments,
                     int kind, const char *detail, char rank) {
  arena *scratch = arena_new();
  text words = text_new(scratch);
  const bool needs_list = arity && !c->is_open;
  if (c->is_kif && needs_list && c->has_snippets) text_add_char(&words, '(');
  text_add(&words, name);
  for (uint32_t i = 0; c->has_snippets && i < arity; i++) {
    text_add(&words, c->is_kif ? " " : i ? ", " : "(");
    if (arguments && arguments[i])
      text_add_format(&words, "${%u:%s}", i + 1, arguments[i]);
    else
      text_add_format(&words, "${%u}", i + 1);
  }
  if (c->has_snippets && arity && (!c->is_kif || needs_list)) text_add_char(&words, ')');
  add_item(c, name, kind, detail, rank, text_string(&words), c->has_snippets && arity);
  arena_free(scratch);
}

/* ---- what there is ---- */

static void add_value(void *context, const char *name, uint32_t arity) {
  completion *c = context;
  if (c->values++ < MOST_VALUES)
    add_call(c, name, arity, NULL, arity ? ITEM_STRUCT : ITEM_VALUE, "value", 'a');
}

static void add_variables(completion *c, size_t offset) {
  const uint32_t clause = tabia_source_clause_at(c->source, offset);
  const uint32_t here = tabia_source_word_at(c->source, offset);
  const uint32_t typed = here == TABIA_NOTHING ? here : tabia_word_thing(c->source, here);
  for (uint32_t i = 0; clause != TABIA_NOTHING && i < tabia_source_thing_count(c->source); i++) {
    if (tabia_thing_kind(c->source, i) != TABIA_WORD_VARIABLE) continue;
    if (!tabia_thing_word_count(c->source, i)) continue;
    if (tabia_word_clause(c->source, tabia_thing_word(c->source, i, 0)) != clause) continue;
    if (i == typed && tabia_thing_word_count(c->source, i) == 1) continue;
    const char *name = tabia_thing_name(c->source, i);
    add_item(c, name, ITEM_VARIABLE, "variable of this rule", 'b', name, false);
  }
}

static void add_relations(completion *c) {
  for (uint32_t i = 0; i < tabia_source_thing_count(c->source); i++)
    if (tabia_thing_kind(c->source, i) == TABIA_WORD_RELATION)
      add_call(c, tabia_thing_name(c->source, i), tabia_thing_arity(c->source, i), NULL,
               ITEM_FUNCTION, "relation", 'c');
}

static void add_keywords(completion *c) {
  const lsp_keyword *k;
  for (uint32_t i = 0; (k = lsp_keyword_at(i)) != NULL; i++) {
    uint32_t arity = 0;
    while (arity < 2 && k->arguments[arity]) arity++;
    if (!c->is_kif && !k->is_relation && strcmp(k->name, "distinct") != 0) arity = 0;
    if (!c->is_kif && strcmp(k->name, "<=") == 0) continue;
    add_call(c, k->name, arity, k->arguments, ITEM_KEYWORD, k->meaning, 'd');
  }
}

/* ---- where we are ---- */

static bool is_name_byte(char c) { return c && !strchr(" \t\r\n();,.%'", c); }

/* Is the place inside of an atom or term, where values stand? */
static bool is_argument(const completion *c, size_t offset, uint32_t *call, uint32_t *argument) {
  if (!tabia_source_call_at(c->source, offset, call, argument)) return false;
  const tabia_word_kind kind = tabia_word_kind_of(c->source, *call);
  if (kind != TABIA_WORD_OPERATOR) return true;
  size_t start, end;
  tabia_word_range(c->source, *call, &start, &end);
  return end - start == 8; /* distinct alone takes terms */
}

static bool is_in_comment(const lsp_target *t) {
  return t->word != TABIA_NOTHING && tabia_word_kind_of(t->source, t->word) == TABIA_WORD_COMMENT;
}

static completion completion_at(lsp_server *s, const lsp_target *t) {
  completion c = {.document = t->document,
                  .source = t->source,
                  .has_snippets = s->has_snippets,
                  .is_kif = lsp_is_kif(t->document),
                  .start = t->offset,
                  .end = t->offset,
                  .items = json_array()};
  const char *bytes = t->document->words.bytes;
  while (c.start && is_name_byte(bytes[c.start - 1])) c.start--;
  c.is_open = c.is_kif && c.start && bytes[c.start - 1] == '(';
  return c;
}

json_t *on_completion(lsp_server *s, const json_t *id, json_t *params, lsp_failure *f) {
  (void)id;
  lsp_target t;
  uint32_t call = 0, argument = 0;
  if (!lsp_find_target(s, params, &t, f)) return NULL;
  completion c = completion_at(s, &t);
  if (is_in_comment(&t)) return c.items;
  /* a term that has just been opened is asked for at its own place */
  const size_t place = c.is_open ? c.start - 1 : c.start;
  const bool is_value = is_argument(&c, place, &call, &argument);
  if (is_value) tabia_source_values(c.source, call, argument, add_value, &c);
  add_variables(&c, t.offset);
  if (!is_value) add_relations(&c);
  if (!is_value) add_keywords(&c);
  return json_pack("{sb so}", "isIncomplete", 0, "items", c.items);
}
