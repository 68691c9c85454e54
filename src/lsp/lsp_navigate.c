/* Where a thing is defined and used, its other name, and the symbols of texts. */
#include "lsp/lsp_json.h"
#include "lsp/lsp_words.h"

/* ---- definition, references, highlights ---- */

/* For a variable the first occurrence counts, as for things that no head defines. */
static bool has_definition(const tabia_source *s, uint32_t thing) {
  for (uint32_t i = 0; i < tabia_thing_word_count(s, thing); i++)
    if (tabia_word_defines(s, tabia_thing_word(s, thing, i))) return true;
  return false;
}

static json_t *locations(const lsp_target *t, bool with_definitions, bool with_uses) {
  json_t *all = json_array();
  if (t->thing == TABIA_NOTHING) return all;
  const bool is_defined = has_definition(t->source, t->thing);
  for (uint32_t i = 0; i < tabia_thing_word_count(t->source, t->thing); i++) {
    const uint32_t word = tabia_thing_word(t->source, t->thing, i);
    const bool defines = is_defined ? tabia_word_defines(t->source, word) : i == 0;
    size_t start, end;
    if (!(defines ? with_definitions : with_uses)) continue;
    tabia_word_range(t->source, word, &start, &end);
    json_array_append_new(all, lsp_location_json(t->document, start, end));
  }
  return all;
}

json_t *on_definition(lsp_server *s, const json_t *id, json_t *params, lsp_failure *f) {
  (void)id;
  lsp_target t;
  return lsp_find_target(s, params, &t, f) ? locations(&t, true, false) : NULL;
}

json_t *on_references(lsp_server *s, const json_t *id, json_t *params, lsp_failure *f) {
  (void)id;
  lsp_target t;
  if (!lsp_find_target(s, params, &t, f)) return NULL;
  return locations(&t, lsp_flag(params, "context.includeDeclaration"), true);
}

enum { HIGHLIGHT_READ = 2, HIGHLIGHT_WRITE = 3 };

json_t *on_highlight(lsp_server *s, const json_t *id, json_t *params, lsp_failure *f) {
  (void)id;
  lsp_target t;
  if (!lsp_find_target(s, params, &t, f)) return NULL;
  json_t *all = json_array();
  if (t.thing == TABIA_NOTHING) return all;
  for (uint32_t i = 0; i < tabia_thing_word_count(t.source, t.thing); i++) {
    const uint32_t word = tabia_thing_word(t.source, t.thing, i);
    size_t start, end;
    tabia_word_range(t.source, word, &start, &end);
    json_array_append_new(
        all, json_pack("{so si}", "range", lsp_range_json(t.document, start, end), "kind",
                       tabia_word_defines(t.source, word) ? HIGHLIGHT_WRITE : HIGHLIGHT_READ));
  }
  return all;
}

/* ---- rename ---- */

static json_t *refuse(const tabia_messages *log, lsp_failure *f) {
  return lsp_fail(f, LSP_REQUEST_FAILED, "%s",
                  tabia_messages_count(log) ? tabia_message_text(log, 0)
                                            : "this cannot be renamed");
}

typedef struct renaming {
  lsp_document *document;
  json_t *edits;
} renaming;

static void add_edit(void *context, size_t start, size_t end, const char *words) {
  renaming *r = context;
  json_array_append_new(r->edits, lsp_edit_json(r->document, start, end, words, strlen(words)));
}

/* Asks whether, where there is no name; the edits, or true. */
static json_t *rename_thing(const lsp_target *t, const char *name, lsp_failure *f) {
  if (t->thing == TABIA_NOTHING)
    return lsp_fail(f, LSP_REQUEST_FAILED, "there is no name to change here");
  tabia_messages *log = tabia_messages_new();
  renaming r = {t->document, json_array()};
  json_t *result;
  if (tabia_source_rename(t->source, t->thing, name, add_edit, &r, log) == TABIA_OK) {
    result = r.edits;
  } else {
    json_decref(r.edits);
    result = refuse(log, f);
  }
  tabia_messages_free(log);
  return result;
}

json_t *on_prepare_rename(lsp_server *s, const json_t *id, json_t *params, lsp_failure *f) {
  (void)id;
  lsp_target t;
  size_t start, end;
  if (!lsp_find_target(s, params, &t, f)) return NULL;
  json_t *may = rename_thing(&t, NULL, f);
  if (!may) return NULL;
  json_decref(may);
  tabia_word_range(t.source, t.word, &start, &end);
  return json_pack("{so so}", "range", lsp_range_json(t.document, start, end), "placeholder",
                   lsp_text_json(t.document->words.bytes + start, end - start));
}

json_t *on_rename(lsp_server *s, const json_t *id, json_t *params, lsp_failure *f) {
  (void)id;
  lsp_target t;
  const char *name = lsp_string(params, "newName");
  if (!lsp_find_target(s, params, &t, f)) return NULL;
  if (!name) return lsp_fail(f, LSP_INVALID_PARAMS, "there is no new name");
  arena *scratch = arena_new();
  text whole = text_new(scratch); /* people leave the `?` of a variable away */
  if (t.thing != TABIA_NOTHING && tabia_thing_kind(t.source, t.thing) == TABIA_WORD_VARIABLE &&
      lsp_is_kif(t.document) && *name != '?')
    text_add_char(&whole, '?');
  text_add(&whole, name);
  json_t *edits = rename_thing(&t, text_string(&whole), f);
  arena_free(scratch);
  return edits ? json_pack("{s{so}}", "changes", t.document->uri, edits) : NULL;
}

/* ---- symbols ---- */

enum { SYMBOL_FUNCTION = 12, SYMBOL_EVENT = 24 };

static int symbol_kind(const tabia_source *s, uint32_t head) {
  return tabia_word_kind_of(s, head) == TABIA_WORD_KEYWORD ? SYMBOL_EVENT : SYMBOL_FUNCTION;
}

/* The clause on one line, as far as it fits. */
static void add_head(text *out, lsp_document *d, size_t start, size_t end) {
  enum { SHOWN = 60 };
  const char *bytes = d->words.bytes;
  bool was_blank = false;
  for (; start < end && out->length < SHOWN; start++) {
    const bool is_blank = strchr(" \t\r\n", bytes[start]) != NULL;
    if (!is_blank || !was_blank) text_add_char(out, is_blank ? ' ' : bytes[start]);
    was_blank = is_blank;
  }
  while (out->length && ((uint8_t)out->bytes[out->length - 1] & 0xc0) == 0x80) out->length--;
  if (out->length && (uint8_t)out->bytes[out->length - 1] >= 0xc0) out->length--;
  if (out->bytes) out->bytes[out->length] = '\0';
}

static json_t *clause_symbol(lsp_document *d, const tabia_source *s, uint32_t clause,
                             uint32_t head) {
  arena *scratch = arena_new();
  text name = text_new(scratch);
  size_t start, end, from, to;
  tabia_clause_range(s, clause, &start, &end);
  tabia_word_range(s, head, &from, &to);
  size_t head_start = from, head_end = to;
  if (tabia_thing_arity(s, tabia_word_thing(s, head)))
    tabia_source_widen(s, &head_start, &head_end);
  add_head(&name, d, head_start, head_end);
  json_t *symbol =
      json_pack("{so si so so}", "name", lsp_text_json(text_string(&name), name.length), "kind",
                symbol_kind(s, head), "range", lsp_range_json(d, start, end), "selectionRange",
                lsp_range_json(d, from, to));
  arena_free(scratch);
  return symbol;
}

json_t *on_document_symbol(lsp_server *s, const json_t *id, json_t *params, lsp_failure *f) {
  (void)id;
  lsp_document *d = lsp_find_document(s, params, f);
  const tabia_source *source = d ? lsp_document_source(d) : NULL;
  if (!source) return NULL;
  json_t *all = json_array();
  for (uint32_t i = 0; i < tabia_source_clause_count(source); i++) {
    const uint32_t head = tabia_clause_head(source, i);
    if (head == TABIA_NOTHING || tabia_word_thing(source, head) == TABIA_NOTHING) continue;
    json_array_append_new(all, clause_symbol(d, source, i, head));
  }
  return all;
}

/* Do the letters of the query stand in the name, in this order? */
static bool is_like(const char *name, const char *query) {
  for (; *name && *query; name++)
    if ((*name | 0x20) == (*query | 0x20)) query++;
  return !*query;
}

static void add_symbols_of(json_t *all, lsp_document *d, const char *query) {
  const tabia_source *s = lsp_document_source(d);
  for (uint32_t i = 0; s && i < tabia_source_thing_count(s); i++) {
    const tabia_word_kind kind = tabia_thing_kind(s, i);
    size_t start, end;
    if (kind != TABIA_WORD_RELATION && kind != TABIA_WORD_FUNCTION) continue;
    if (!is_like(tabia_thing_name(s, i), query) || !tabia_thing_word_count(s, i)) continue;
    tabia_word_range(s, tabia_thing_word(s, i, 0), &start, &end);
    const char *name = tabia_thing_name(s, i);
    json_array_append_new(all, json_pack("{so si so}", "name", lsp_text_json(name, strlen(name)),
                                         "kind", kind == TABIA_WORD_RELATION ? SYMBOL_FUNCTION : 23,
                                         "location", lsp_location_json(d, start, end)));
  }
}

json_t *on_workspace_symbol(lsp_server *s, const json_t *id, json_t *params, lsp_failure *f) {
  (void)id, (void)f;
  const char *query = lsp_string(params, "query");
  json_t *all = json_array();
  for (uint32_t i = 0; i < s->documents.count; i++)
    add_symbols_of(all, s->documents.items[i], query ? query : "");
  return all;
}
